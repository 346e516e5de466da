export const styles = `
:root { --color-primary: #0570de; --color-background: #fff; --color-text: #30313d; --color-danger: #df1b41; --border-radius: 5px; --spacing-unit: 4px; --font-size-base: 16px; --font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; --line: #e6e6e6; --lift: 0 1px 1px rgb(0 0 0 / 3%), 0 3px 6px rgb(0 0 0 / 2%); }
:root[data-theme=night] { --color-primary: #0085ff; --color-background: #30313d; --color-text: #fff; --color-danger: #fe87a1; --line: #424353; --lift: 0 2px 4px rgb(0 0 0 / 50%), 0 1px 6px rgb(0 0 0 / 25%); }
:root[data-theme=flat] { --color-primary: #171717; --color-background: #f1f1f1; --color-text: #30313d; --color-danger: #c0123c; --line: transparent; --lift: none; }
:root[data-theme=none] { --line: currentcolor; --lift: none; --border-radius: 0; }
[hidden] { display: none !important; }
body { padding: 4px; background: transparent; color: var(--color-text); font: var(--font-size-base)/1.4 var(--font-family); overflow: hidden; }
#form { display: grid; grid-template-columns: 1fr 1fr; gap: calc(var(--spacing-unit) * 3); align-items: start; }
.wide { grid-column: 1 / -1; }
.Label { display: block; margin-bottom: var(--spacing-unit); font-size: 0.93em; }
.Input { width: 100%; margin: 0; padding: calc(var(--spacing-unit) * 3); font: inherit; font-variant-numeric: tabular-nums; line-height: 1.15; color: inherit; background: var(--color-background); border: 1px solid var(--line); border-radius: var(--border-radius); box-shadow: var(--lift); outline: none; transition: border-color 0.15s, box-shadow 0.15s; }
.Input::placeholder { color: var(--color-text-placeholder, color-mix(in srgb, var(--color-text) 68%, var(--color-background))); opacity: 1; }
.Input:focus, .Input:focus-visible { outline: none; border-color: var(--color-primary); box-shadow: 0 0 0 3px color-mix(in srgb, var(--color-primary) 25%, transparent), 0 1px 1px rgb(0 0 0 / 8%); }
.Input--invalid, .Input--invalid:focus { color: var(--color-danger); border-color: var(--color-danger); box-shadow: 0 0 0 1px var(--color-danger), var(--lift); }
.Input--invalid:focus { box-shadow: 0 0 0 1px var(--color-danger), 0 0 0 3px color-mix(in srgb, var(--color-primary) 25%, transparent); }
.Error { margin: var(--spacing-unit) 0 0; font-size: 0.93em; color: var(--color-danger); }
#notice { margin: 0; padding: calc(var(--spacing-unit) * 3); color: var(--color-danger); background: var(--color-background); border: 1px solid var(--color-danger); border-radius: var(--border-radius); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: reduce) { .Input { transition: none; } }
@media (forced-colors: active) { .Input:focus { outline: 2px solid Highlight; } }
`
