import type { BusinessEvent } from '../store/deps'

/*
 * Workers Analytics Engine, if the binding METRICS is there (docs/on-call.md says how to bind and to query it): nothing of a
 * person, and no id. `index1` is the kind, which may have its own sampling.
 */

interface Bindings {
  METRICS?: { writeDataPoint(point: { indexes: string[]; blobs: string[]; doubles: number[] }): void }
}

/** blob1: the route, blob2: `2xx` to `5xx`, blob3: the method; double1: milliseconds. */
export function countRequest(
  env: object,
  { route, status, method, durationMs }: { route: string; status: number; method: string; durationMs: number },
): void {
  write(env, 'request', [route, `${Math.floor(status / 100)}xx`, method], durationMs)
}

/** blob1: the event; double1: 1. */
export function countEvent(env: object, event: BusinessEvent): void {
  write(env, 'event', [event], 1)
}

function write(env: object, kind: string, blobs: string[], double: number): void {
  try {
    ;(env as Bindings).METRICS?.writeDataPoint({ indexes: [kind], blobs, doubles: [double] })
  } catch {
    // A figure is worth no failed request.
  }
}
