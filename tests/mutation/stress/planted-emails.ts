import { rewriteTrigger, type Planted } from './planting'

export const plantedEmails: Planted[] = [
  {
    name: 'letters are delivered twice',
    worker: (_stand, onHit) => ({
      mail: (mail) => ({
        send: async (email) => {
          onHit()
          await mail.send(email)
          await mail.send({ ...email, id: `${email.id} again` })
        },
      }),
    }),
  },
  {
    name: 'letters count as sent, and are thrown away',
    worker: (_stand, onHit) => ({
      mail: () => ({
        send: () => {
          onHit()
          return Promise.resolve()
        },
      }),
    }),
  },
  {
    name: 'letters go to somebody else',
    worker: (_stand, onHit) => ({
      mail: (mail) => ({
        send: (email) => {
          onHit()
          return mail.send({ ...email, recipient: 'somebody@example.com' })
        },
      }),
    }),
  },
  {
    name: 'nobody is told of a cancellation',
    guards: [rewriteTrigger('journal_writes_letters', ", 'order cancelled'", '')],
  },
]
