// @ts-check
/* global document, HTMLInputElement */
import { validators, formatters } from './card.js'

/** @typedef {import('./card.js').FieldName} FieldName */

export class Field {
  /** @param {FieldName} name @param {() => void} onChange @param {() => string} cardNumber on which the security code depends */
  constructor(name, onChange, cardNumber = () => '') {
    this.name = name
    this.onChange = onChange
    this.cardNumber = cardNumber
    const input = document.getElementById(`Field-${name}Input`)
    if (!(input instanceof HTMLInputElement)) throw new Error(`There is no field ${name}.`)
    this.input = input
    this.error = document.getElementById(`Field-${name}Error`)
    input.addEventListener('input', (event) => this.#onInput(/** @type {InputEvent} */ (event)))
    input.addEventListener('blur', () => this.#onBlur())
  }

  get value() {
    return this.input.value
  }

  fault() {
    return validators[this.name](this.value, new Date(), this.cardNumber())
  }

  show(/** @type {string | null} */ message) {
    if (this.error) {
      this.error.textContent = message ?? ''
      this.error.hidden = message === null
    }
    this.input.classList.toggle('Input--invalid', message !== null)
    if (message === null) this.input.removeAttribute('aria-invalid')
    else this.input.setAttribute('aria-invalid', 'true')
  }

  clear() {
    this.input.value = ''
    this.show(null)
  }

  #onInput(/** @type {InputEvent} */ event) {
    const deleting = event.inputType?.startsWith('delete') ?? false
    const { value, selectionStart } = this.input
    const atEnd = selectionStart === null || selectionStart >= value.length
    const formatted = formatters[this.name](value, deleting)
    if (formatted !== value) {
      const digitsBefore = value.slice(0, selectionStart ?? value.length).replace(/\D/g, '').length
      this.input.value = formatted
      const caret = atEnd ? formatted.length : caretAfterDigits(formatted, digitsBefore)
      this.input.setSelectionRange(caret, caret)
    }
    const fault = this.fault()
    // Incomplete input is not an error while the customer types.
    this.show(fault && !fault.incomplete ? fault.message : null)
    this.onChange()
  }

  #onBlur() {
    const fault = this.value === '' ? null : this.fault()
    if (fault) this.show(fault.message)
  }
}

function caretAfterDigits(/** @type {string} */ text, /** @type {number} */ count) {
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    if (digits === count) return i
    if (/\d/.test(text.charAt(i))) digits++
  }
  return text.length
}
