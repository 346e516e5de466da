/* npm run check -- NAME …: a scan, drill or bench; without a name, a list of them. */
import { checks, runNamedScript } from '../dev/named-scripts'

await runNamedScript('check', checks)
