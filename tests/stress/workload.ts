import type { Deps } from '../../app/store/deps'
import { cards, payWith, type Given, type Kind } from './card'
import { Client, done } from './client'
import { hours } from './clock'
import { eventsAt, signed } from './provider'
import { handleWebhookEvent } from './store-commands'
import type { TestEnvironment } from './test-environment'

interface Day {
  stand: TestEnvironment
  worker: Deps
  /** What most of the scenes are about. */
  violin: string
  arrives: (role?: 'customer' | 'admin') => Promise<Client>
  pay: (given: Given, card?: string) => Promise<boolean>
}

export const bothKinds = ['checkout', 'intent'] as const

/**
 * A day of a small shop, in a few seconds: everything that money and stock can go through, with races, refusals, late money,
 * expired holds, and messages that come twice, late, or from somebody else. Answers which scenes could not be played to
 * their end: in a shop without a bug, none.
 */
export async function runWorkload(
  stand: TestEnvironment,
  worker: Deps,
  kinds: readonly Kind[] = bothKinds,
): Promise<string[]> {
  const day: Day = {
    stand,
    worker,
    violin: await stand.sells({ price: 250_00, stock: 60 }),
    arrives: async (role) => new Client(worker, stand.history, await stand.person(role)),
    pay: (given, card) => payWith(stand.sandbox.url, given, card),
  }
  const scenes: [name: string, play: (day: Day) => Promise<void>][] = [
    ['the last one', lastOne],
    ['quantities', quantities],
    ['forms', forms],
    ['changing how to pay', changeKind],
    ...kinds.flatMap((kind): typeof scenes => [
      [`buying by ${kind}`, (the) => buy(the, kind)],
      [`giving up a ${kind}`, (the) => giveUp(the, kind)],
      [`cancelling against paying by ${kind}`, (the) => race(the, kind)],
      [`late money by ${kind}`, (the) => comeLate(the, kind)],
    ]),
    ['a forged event', forge],
    ['every event', () => tellAll(stand, worker)],
    ...kinds.map((kind): (typeof scenes)[number] => [`expiry with ${kind}`, (the) => letExpire(the, kind)]),
  ]
  const broken: string[] = []
  for (const [name, play] of scenes) {
    await play(day).catch((error: unknown) => broken.push(`${name}: ${String(error)}`))
  }
  return broken
}

/** Eight want it. */
async function lastOne({ stand, arrives }: Day): Promise<void> {
  const last = await stand.sells({ stock: 1 })
  const crowd = await Promise.all(Array.from({ length: 8 }, () => arrives()))
  await Promise.all(crowd.map((client) => client.order(last, 1)))
}

/** Less than the minimum, more than there is, all there is, and then once more. */
async function quantities({ stand, arrives }: Day): Promise<void> {
  const horn = await stand.sells({ minimum: 3, stock: 9 })
  const client = await arrives()
  for (const quantity of [2, 10, 9, 3]) await client.order(horn, quantity)
}

/** One that is sent five times, one whose price has changed since it was shown, and one that somebody has edited. */
async function forms({ stand, violin, arrives }: Day): Promise<void> {
  const [ada, bob, eve] = [await arrives(), await arrives(), await arrives()]
  const submission = crypto.randomUUID()
  await Promise.all(Array.from({ length: 5 }, () => ada.order(violin, 1, { submission })))
  const cello = await stand.sells({ price: 900_00 })
  await stand.reprice(cello, 950_00)
  await bob.order(cello, 1, { shown: 900_00 })
  await eve.order(cello, 1, { shown: 1_00 })
  await bob.order(cello, 1, { shown: 950_00 })
}

/** Two tabs, a declined card, a good one; coming back, cancelling after all, and having it shipped. */
async function buy({ violin, arrives, pay }: Day, kind: Kind): Promise<void> {
  const [ada, stranger, admin] = [await arrives(), await arrives(), await arrives('admin')]
  const order = done(await ada.order(violin, 2))
  const tabs = await Promise.all([ada.start(kind, order), ada.start(kind, order)])
  const given = done(tabs.find(({ how }) => how === 'done') ?? tabs[0])
  await pay(given, cards.declined)
  await ada.comesBack(order)
  await stranger.cancel(order)
  await pay(given)
  await ada.comesBack(order)
  await Promise.all([ada.cancel(order), ada.cancel(order), ada.start(kind, order)])
  await admin.ship(order)
}

/** Twice at once, with the page to pay still open, and shipped although nobody paid. */
async function giveUp({ violin, arrives, pay }: Day, kind: Kind): Promise<void> {
  const [bob, admin] = [await arrives(), await arrives('admin')]
  const order = done(await bob.order(violin, 3))
  const given = done(await bob.start(kind, order))
  await admin.ship(order)
  await Promise.all([bob.cancel(order), bob.cancel(order)])
  await bob.cancel(order)
  await pay(given)
}

async function changeKind({ violin, arrives, pay }: Day): Promise<void> {
  const eve = await arrives()
  const order = done(await eve.order(violin, 1))
  const intent = done(await eve.start('intent', order))
  const checkout = done(await eve.start('checkout', order))
  await pay(intent)
  await pay(checkout)
}

async function race({ violin, arrives, pay }: Day, kind: Kind): Promise<void> {
  const eve = await arrives()
  const order = done(await eve.order(violin, 1))
  const given = done(await eve.start(kind, order))
  await Promise.all([pay(given), eve.cancel(order)])
}

/** Money for an order that was cancelled behind the provider's back goes back. */
async function comeLate({ stand, violin, arrives, pay }: Day, kind: Kind): Promise<void> {
  const bob = await arrives()
  const order = done(await bob.order(violin, 1))
  const given = done(await bob.start(kind, order))
  await stand.cancelBlindly(order)
  await pay(given)
  await bob.comesBack(order)
}

/** Every event so far, the newest first, each twice. */
async function tellAll({ sandbox }: TestEnvironment, worker: Deps): Promise<void> {
  for (const event of (await eventsAt(sandbox.url)).reverse()) {
    const { body, signature } = await signed(event)
    const told = await worker.payments.readEvent(body, signature)
    for (let time = 0; told && time < 2; time++) await handleWebhookEvent(worker, told)
  }
}

/** An event of somebody who does not know the secret. */
async function forge({ stand, worker }: Day): Promise<void> {
  const { body, signature } = await signed({ id: 'evt_forged', object: 'event' }, { secret: 'whsec_guessed' })
  if (await worker.payments.readEvent(body, signature)) stand.history.forged.push({ what: 'signed by a guess' })
}

/** Pieces of an order that was not paid in time go to whoever wants them; its customer then pays on an old page. */
async function letExpire({ stand, arrives, pay }: Day, kind: Kind): Promise<void> {
  const [slow, quick] = [await arrives(), await arrives()]
  const viola = await stand.sells({ stock: 2 })
  const order = done(await slow.order(viola, 2))
  stand.clock.pass(stand.holdMs - hours)
  const given = done(await slow.start(kind, order))
  await quick.order(viola, 2)
  stand.clock.pass(hours + 1)
  await quick.order(viola, 2)
  await pay(given)
}
