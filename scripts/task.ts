/* npm run task -- NAME …: what operators and developers need now and then; without a name, a list. */
import { runNamedScript, tasks } from '../dev/named-scripts'

await runNamedScript('task', tasks)
