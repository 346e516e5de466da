export const styles = `
main { max-width: 30rem; padding-top: 2rem; padding-bottom: 3rem; }
.notice p { max-width: 30rem; }
ul { list-style: none; margin: 1.25rem 0 0; padding: 0; border-top: 1px solid var(--brass); }
li, .total { display: flex; justify-content: space-between; gap: 1rem; padding: 0.75rem 0; margin: 0; }
li { border-bottom: 1px solid #d9ccb4; }
li > :first-child { min-width: 0; overflow-wrap: anywhere; }
small { display: block; font-size: 0.875rem; }
.total { font-weight: 600; font-size: 1.25rem; }
.email { margin: 0 0 1.25rem; overflow-wrap: anywhere; }
.email strong { display: block; }
form { margin-top: 1.25rem; }
.field { margin-bottom: 1.25rem; min-width: 0; }
.pair { display: grid; grid-template-columns: 3fr 2fr; gap: 0.75rem; align-items: start; }
label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
input { width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; font-variant-numeric: tabular-nums; color: inherit; background: #fff; border: 1px solid #7d6f60; border-radius: 2px; }
input::placeholder { color: #75685b; opacity: 1; }
input[aria-invalid] { border-color: var(--error); border-width: 2px; }
.fault, .alert { color: var(--error); margin: 0.25rem 0 0; }
.alert { margin: 0 0 1.25rem; padding: 0.75rem 1rem; border-left: 3px solid var(--error); background: #fff; font-weight: 600; }
button { width: 100%; min-height: 3rem; padding: 0.75rem 1rem; font: inherit; font-weight: 600; font-variant-numeric: tabular-nums; color: #fff; background: var(--varnish); border: 0; border-radius: 2px; cursor: pointer; }
button:hover { background: #5f2013; }
button.quiet { color: var(--varnish); background: none; border: 1px solid var(--varnish); }
button.quiet:hover { background: var(--spruce); }
.back { display: inline-block; padding: 0.6rem 0; }
.cards { margin-top: 1.5rem; border-top: 1px solid var(--brass); padding-top: 1rem; font-size: 0.9375rem; }
.cards dl { margin: 0.5rem 0; }
.cards dl div { display: flex; flex-wrap: wrap; gap: 0 0.75rem; }
dt { font-variant-numeric: tabular-nums; }
dd { margin: 0; }
`
