/*
 * The inline script of a page with a form for a passkey: gives it its button, asks the authenticator when it is submitted, and sends the answer. The
 * form has the options of a new passkey, or none: then the shop gives them. It has the words too.
 */
const form = document.querySelector<HTMLFormElement>('[data-passkey]')!
const field = form.elements.namedItem('credential') as HTMLInputElement
const say = (text: string) => {
  form.querySelector('[role=status]')!.textContent = text
}

async function ask(): Promise<Credential | null> {
  const options = form.dataset.passkey
  if (options) {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON,
    )
    return navigator.credentials.create({ publicKey })
  }
  const response = await fetch(form.action, { method: 'POST', body: new URLSearchParams() })
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await response.json())
  return navigator.credentials.get({ publicKey })
}

function addButton(text: string): void {
  const button = document.createElement('button')
  button.className = 'button button-quiet'
  button.textContent = text
  const status = document.createElement('p')
  status.setAttribute('role', 'status')
  form.appendChild(button)
  form.appendChild(status)
  form.hidden = false
}

// Passkeys are bound to a domain name.
const hasName = !/^[\d.]+$|:/.test(location.hostname)
if (hasName && 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential) {
  if (form.hidden) addButton(form.dataset.button!)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    // Else the device keeps a passkey that the shop refuses.
    if (!form.reportValidity()) return
    say('')
    ask()
      .then((credential) => {
        field.value = JSON.stringify(credential)
        form.submit()
      })
      // Only a form that makes a passkey finds one there already.
      .catch((error: unknown) => say(form.dataset[(error as Error).name === 'InvalidStateError' ? 'there' : 'none']!))
  })
}
