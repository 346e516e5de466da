/* The inline script of a page to print: its button, which only scripts can have. */
const button = document.querySelector<HTMLElement>('[data-print]')!
button.hidden = false
button.onclick = () => print()
