import { dropSchemaObject, rewriteTrigger, type Planted } from './planting'

export const plantedEmails: Planted[] = [
  {
    name: 'emails are delivered twice',
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
    name: 'emails count as sent and are dropped',
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
    name: 'emails go to another recipient',
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
    name: 'no email about a cancellation',
    guards: [rewriteTrigger('audit_log_enqueues_emails', ", 'order cancelled'", '')],
  },
  {
    name: 'no email about low stock',
    guards: [dropSchemaObject('TRIGGER', 'instruments_low_stock_emails_the_shop')],
  },
  {
    name: 'an email about low stock for each order below the threshold',
    guards: [
      rewriteTrigger(
        'instruments_low_stock_emails_the_shop',
        'OLD.`available_quantity` > NEW.`low_stock_threshold` AND ',
        '',
      ),
    ],
  },
]
