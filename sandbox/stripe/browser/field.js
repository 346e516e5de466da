// @ts-check
/* global document, HTMLInputElement */
import { faultOf, written } from './card.js'

/** @typedef {import('./card.js').FieldName} FieldName */

export class Field {
  /** @param {FieldName} name @param {() => void} changed @param {() => string} cardNumber on which the security code depends */
  constructor(name, changed, cardNumber = () => '') {
    this.name = name
    this.changed = changed
    this.cardNumber = cardNumber
    const input = document.getElementById(`Field-${name}Input`)
    if (!(input instanceof HTMLInputElement)) throw new Error(`There is no field ${name}.`)
    this.input = input
    this.error = document.getElementById(`Field-${name}Error`)
    input.addEventListener('input', (event) => this.#typed(/** @type {InputEvent} */ (event)))
    input.addEventListener('blur', () => this.#left())
  }

  get value() {
    return this.input.value
  }

  fault() {
    return faultOf[this.name](this.value, new Date(), this.cardNumber())
  }

  show(/** @type {string | null} */ words) {
    if (this.error) {
      this.error.textContent = words ?? ''
      this.error.hidden = words === null
    }
    this.input.classList.toggle('Input--invalid', words !== null)
    if (words === null) this.input.removeAttribute('aria-invalid')
    else this.input.setAttribute('aria-invalid', 'true')
  }

  clear() {
    this.input.value = ''
    this.show(null)
  }

  #typed(/** @type {InputEvent} */ event) {
    const deleting = event.inputType?.startsWith('delete') ?? false
    const { value, selectionStart } = this.input
    const atEnd = selectionStart === null || selectionStart >= value.length
    const after = written[this.name](value, deleting)
    if (after !== value) {
      const before = value.slice(0, selectionStart ?? value.length).replace(/\D/g, '').length
      this.input.value = after
      const caret = atEnd ? after.length : placeAfter(after, before)
      this.input.setSelectionRange(caret, caret)
    }
    const fault = this.fault()
    // Incomplete input is not an error while the customer types.
    this.show(fault && !fault.incomplete ? fault.message : null)
    this.changed()
  }

  #left() {
    const fault = this.value === '' ? null : this.fault()
    if (fault) this.show(fault.message)
  }
}

function placeAfter(/** @type {string} */ text, /** @type {number} */ count) {
  let seen = 0
  for (let i = 0; i < text.length; i++) {
    if (seen === count) return i
    if (/\d/.test(text.charAt(i))) seen++
  }
  return text.length
}
