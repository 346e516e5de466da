import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { backToList } from '../../http/response/back-to-list.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { listMessages, markMessage, MessageMark, type StoredMessage } from '../../store/email/contact.server'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Pager } from '../../ui/pager'
import { RowForm } from '../../ui/row-form'
import { shopName } from '../../shop-name'
import { Time } from '../../ui/time'

const pageSize = 25
const path = '/dashboard/messages'

const lists = [
  { isDone: false, text: 'To answer', path },
  { isDone: true, text: 'Done', path: `${path}?done=1` },
]

export const meta: MetaFunction = () => [{ title: `Messages · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const { searchParams } = new URL(request.url)
  const before = searchParams.get('before') ?? undefined
  const isDone = searchParams.get('done') === '1'
  return {
    ...(await listMessages(context, { before, limit: pageSize, isDone })),
    isDone,
    isFirst: before === undefined,
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context }, MessageMark, async (mark) => {
    const at = await markMessage(context, admin, mark)
    const back = backToList(request, undefined)
    if (!mark.isDone) return toastTo(context, back, 'The message is open.')
    const undo = { action: back, fields: { messageId: mark.messageId, isDone: 'no', doneAt: String(at) } }
    return toastTo(context, back, 'The message is done.', { undo })
  })
}

export default function Messages() {
  const { messages, next, isDone, isFirst } = useLoaderData<typeof loader>()
  const { errors, field } = formState(useActionData<typeof action>())
  const refused = messages.find(({ id }) => id === field('messageId').initialValue)
  const list = lists.find((each) => each.isDone === isDone)!
  return (
    <>
      <PageHeader title="Messages" />
      {!refused && <FormError errors={errors} />}
      <nav aria-label="Which messages">
        <ul className="filters">
          {lists.map(({ text, path, ...each }) => (
            <li key={path}>
              <a href={path} className="menu-link" aria-current={each.isDone === isDone ? 'page' : undefined}>
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {messages.length > 0 ? (
        <ul className="entries">
          {messages.map((message) => (
            <Entry key={message.id} message={message} errors={message === refused ? errors : undefined} />
          ))}
        </ul>
      ) : (
        <EmptyState title={isDone ? 'Nothing is done yet' : 'Nothing to answer'}>
          What visitors write with the contact form appears here.
        </EmptyState>
      )}
      <Pager
        first={isFirst ? null : list.path}
        next={next && `${list.path}${isDone ? '&' : '?'}before=${encodeURIComponent(next)}`}
      />
    </>
  )
}

function Entry({ message, errors }: { message: StoredMessage; errors: string[] | undefined }) {
  const { id, name, email, createdAt, doneAt } = message
  return (
    <li>
      <h2 id={id}>{name}</h2>
      <p className="hint">
        {email} · <Time at={createdAt} />
      </p>
      <p className="text">{message.message}</p>
      <div className="actions">
        <a className="button" href={answerLink(message)} aria-describedby={id}>
          Answer by email
        </a>
        <RowForm fields={{ messageId: id }}>
          <Button variant="quiet" name="isDone" value={doneAt === null ? 'yes' : 'no'} aria-describedby={id}>
            {doneAt === null ? 'Done' : 'Open again'}
          </Button>
        </RowForm>
      </div>
      <FormError errors={errors} />
    </li>
  )
}

/** Opens the shopkeeper's own email program, with the message quoted. */
function answerLink({ name, email, message }: StoredMessage): string {
  const quote = message.slice(0, 1000).replace(/^/gm, '> ')
  const body = `Dear ${name},\n\n\n\nYou wrote:\n${quote}\n`
  const query = `subject=${encodeURIComponent(`Your message to ${shopName}`)}&body=${encodeURIComponent(body)}`
  return `mailto:${encodeURIComponent(email)}?${query}`
}
