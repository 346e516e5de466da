import type { ClientActionFunctionArgs } from '@remix-run/react'
import { numberRows } from '../form-rows'
import { clientAction as sendForm } from '../../browser/lost-connection'

/** As for every form; this one has rows. */
export const clientAction = (args: ClientActionFunctionArgs) => sendForm(args, numberRows)
