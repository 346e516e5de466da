/** Each is a folder and its line here: delete both, and the cache goes on without it. */
export { dictionary } from './dictionary/serve-dictionary.server'
export { text } from './text/serve-text.server'
export { prefetch } from './prefetch/speculation-rules.server'
