import * as build from './build/server'

export default build.entry.module.createWorker(build)
