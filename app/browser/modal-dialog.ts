/* The inline script of a page with a dialog: modal, it holds the focus, and Escape is its link to cancel. */
const dialog = document.querySelector('dialog')!
dialog.close()
dialog.showModal()
dialog.addEventListener('cancel', (event) => {
  event.preventDefault()
  dialog.querySelector<HTMLElement>('[data-cancel]')!.click()
})
