import type { Deps } from '../../app/store/deps'
import type { Tampering } from './test-environment'

class Crash extends Error {
  override name = 'Crash'
}

export type Side = 'before' | 'after'

/** A worker that dies before or after its n-th effect; later calls fail. Without a number it only counts. */
export class CrashingWorker {
  readonly effects: string[] = []
  dead = false

  constructor(
    private readonly at: number | null = null,
    private readonly side: Side = 'before',
  ) {}

  readonly tampering: Tampering = {
    db: { wrap: ({ sql, writes }, run) => (writes ? this.effect(nameOf(sql), run) : this.alive(run)) },
    payments: (payments) => ({
      openCheckout: (...args) => this.effect('open a checkout', () => payments.openCheckout(...args)),
      openIntent: (...args) => this.effect('open an intent', () => payments.openIntent(...args)),
      find: (...args) => this.alive(() => payments.find(...args)),
      close: (kind, id) => this.effect(`close the ${kind}`, () => payments.close(kind, id)),
      refund: (payment) => this.effect('refund', () => payments.refund(payment)),
      refundPart: (refund) => this.effect('refund', () => payments.refundPart(refund)),
      listPayments: (since) => this.alive(() => payments.listPayments(since)),
      findRefund: (id) => this.alive(() => payments.findRefund(id)),
      listRefunds: (which) => this.alive(() => payments.listRefunds(which)),
      findDispute: (id) => this.alive(() => payments.findDispute(id)),
      listDisputes: (since) => this.alive(() => payments.listDisputes(since)),
      readEvent: (...args) => payments.readEvent(...args),
    }),
    mail: (mail) => ({ send: (email) => this.effect(`mail ${email.id.split(':')[0]}`, () => mail.send(email)) }),
  }

  private alive<T>(run: () => Promise<T>): Promise<T> {
    return this.dead ? Promise.reject(new Crash()) : run()
  }

  private async effect<T>(name: string, run: () => Promise<T>): Promise<T> {
    if (this.dead) throw new Crash()
    this.effects.push(name)
    const last = this.effects.length === this.at
    if (!last) return run()
    if (this.side === 'after') await run().catch(() => undefined)
    this.dead = true
    throw new Crash()
  }
}

function nameOf(sql: string): string {
  const writes = [...sql.matchAll(/\b(insert into|update|delete from) "?(\w+)"?/gi)].map(
    ([, verb, table]) => `${verb!.toLowerCase()} ${table}`,
  )
  return writes.join(' + ')
}

export type Step = (worker: Deps) => Promise<unknown>
