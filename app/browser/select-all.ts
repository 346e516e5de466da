/* The inline script of a list with a selection: the link that ticks all on the next page becomes a checkbox that does it here. */
const link = document.querySelector<HTMLElement>('[data-select-all]')!
const label = link.nextElementSibling as HTMLElement
const all = label.firstElementChild as HTMLInputElement
const boxes = [...document.querySelectorAll<HTMLInputElement>(`[form=${link.dataset.selectAll}]`)]
const show = () => {
  const ticked = boxes.filter((box) => box.checked).length
  all.checked = ticked === boxes.length
  all.indeterminate = ticked > 0 && !all.checked
}
link.hidden = !(label.hidden = false)
all.onchange = () => boxes.forEach((box) => (box.checked = all.checked))
boxes.forEach((box) => (box.onchange = show))
// After Back, the browser ticks them again when the page is loaded.
onpageshow = show
