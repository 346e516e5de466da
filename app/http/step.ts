import type { AppLoadContext } from '@remix-run/cloudflare'
import type { Platform } from './cache/extra'

type Answer<Known> = (request: Request, known: Known) => Promise<Response>

/** Answers a request, or passes it on, as it is or changed, and may change the answer. */
type StepKnowing<Known> = (
  request: Request,
  known: Known,
  next: (request: Request) => Promise<Response>,
) => Response | Promise<Response>

/** Before there is a context: nothing has been asked of the database. */
export type Step = StepKnowing<Platform>

export type ContextStep = StepKnowing<AppLoadContext>

export function inOrder<Known>(steps: StepKnowing<Known>[], last: Answer<Known>): Answer<Known> {
  return steps.reduceRight<Answer<Known>>(
    (next, step) => async (request, known) => step(request, known, (passedOn) => next(passedOn, known)),
    last,
  )
}
