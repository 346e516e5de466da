import type { StaffRole } from '../../app/store/accounts/sign-in'
import { command, expectOutcome, hasOrders, isAdminNow, isPaid, pick, staff, type By, type Command } from './command'
import { clerk } from './model'

/** Gives the clerk a role, or takes it away. */
export function employ(role: StaffRole | null, by: By): Command {
  return command(`employ the clerk as ${role} by ${by}`, async (model, session) => {
    const before = model.staffRole
    const mayEmploy = isAdminNow(model, by)
    const outcome = await staff(session, model, by).setStaffRole(session.staff[clerk], role)
    expectOutcome(session, outcome, mayEmploy || before === role, 'employ')
    await session.look(model, {})
    const isFine = model.staffRole === before || (mayEmploy && model.staffRole === role)
    if (!isFine) throw new Error(`The clerk was ${before}, and is now ${model.staffRole}`)
    if (!session.crashed && mayEmploy && model.staffRole !== role) throw new Error(`The clerk is no ${role}`)
  })
}

/** Signs in, and reads the invoice of an order: it is for admins, the bookkeeper and its customer. */
export function readBooks(index: number, by: By): Command {
  return command(
    `books of ${index} by ${by}`,
    async (model, session) => {
      const paid = model.orders.filter(isPaid)
      const order = pick(paid.length > 0 ? paid : model.orders, index)
      const outcome = await staff(session, model, by).readInvoice(order.id)
      if (session.crashed) return
      if (outcome.how !== 'done') throw outcome.how === 'unsure' ? outcome.error : outcome.refusal
      const mayRead = isAdminNow(model, by) || (by === clerk && model.staffRole === 'bookkeeper')
      if (outcome.value !== (mayRead && isPaid(order))) throw new Error(`read the invoice: ${outcome.value}`)
    },
    hasOrders,
  )
}
