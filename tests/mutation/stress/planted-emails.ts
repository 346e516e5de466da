import { rewritten, type Planted } from './planting'

/** Bugs with letters. */
export const plantedLetters: Planted[] = [
  {
    name: 'letters are delivered twice',
    worker: (_stand, strike) => ({
      mail: (mail) => ({
        send: async (letter) => {
          strike()
          await mail.send(letter)
          await mail.send({ ...letter, id: `${letter.id} again` })
        },
      }),
    }),
  },
  {
    name: 'letters count as sent, and are thrown away',
    worker: (_stand, strike) => ({
      mail: () => ({
        send: () => {
          strike()
          return Promise.resolve()
        },
      }),
    }),
  },
  {
    name: 'letters go to somebody else',
    worker: (_stand, strike) => ({
      mail: (mail) => ({
        send: (letter) => {
          strike()
          return mail.send({ ...letter, recipient: 'somebody@example.com' })
        },
      }),
    }),
  },
  {
    name: 'nobody is told of a cancellation',
    walls: [rewritten('journal_writes_letters', ", 'order cancelled'", '')],
  },
]
