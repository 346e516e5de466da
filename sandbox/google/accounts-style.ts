export const styles = `
main { max-width: 30rem; padding-top: 2rem; padding-bottom: 3rem; overflow-wrap: anywhere; }
.notice p { max-width: 30rem; }
ul { list-style: none; margin: 1.25rem 0 0; padding: 0; border-top: 1px solid var(--brass); }
li { border-bottom: 1px solid #d9ccb4; }
form { margin-top: 2rem; }
h2 { margin-bottom: 1rem; }
.field { margin-bottom: 1.25rem; }
label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
.check { display: flex; align-items: center; gap: 0.75rem; min-height: 2.75rem; margin-bottom: 1rem; font-weight: 400; }
input { width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; color: inherit; background: #fff; border: 1px solid #7d6f60; border-radius: 2px; }
.check input { flex: none; width: 1.25rem; min-height: 1.25rem; margin: 0; accent-color: var(--varnish); }
input[aria-invalid] { border-color: var(--error); border-width: 2px; }
.fault { color: var(--error); margin: 0.25rem 0 0; }
button { width: 100%; min-height: 3rem; padding: 0.75rem 1rem; font: inherit; font-weight: 600; color: #fff; background: var(--varnish); border: 1px solid var(--varnish); border-radius: 2px; cursor: pointer; }
button:hover { background: #5f2013; }
.account { display: flex; align-items: center; gap: 1rem; padding: 0.75rem 0.5rem; font-weight: 400; text-align: left; color: var(--ink); background: none; border: 0; }
.account:hover { background: var(--spruce); }
.initial { flex: none; width: 2.5rem; line-height: 2.5rem; border-radius: 50%; text-align: center; font-weight: 600; color: #fff; background: var(--varnish); }
.who { min-width: 0; }
.who > * { display: block; line-height: 1.4; font-style: normal; font-size: 0.9375rem; }
.who em { color: var(--error); }
.cancel { margin-top: 0.75rem; }
.quiet { color: var(--varnish); background: none; }
.quiet:hover { background: var(--spruce); }
`
