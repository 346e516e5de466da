import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { backToList } from '../../http/response/back-to-list.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import {
  listMessages,
  markMessages,
  MessageMark,
  MessageReply,
  replyToMessage,
  type StoredMessage,
} from '../../store/email/contact.server'
import { Refusal } from '../../store/shared/refusal'
import { formatTime } from '../../store/shared/dates'
import { Button } from '../../ui/button'
import { selectionForm, SelectionBar } from '../../ui/dashboard/selection-bar'
import { EmptyState } from '../../ui/empty-state'
import { Field } from '../../ui/field'
import { FormError } from '../../ui/form-error'
import { formState, type FormState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Pager } from '../../ui/pager'
import { RowForm } from '../../ui/row-form'
import type { Undo } from '../../ui/toast'
import { shopName } from '../../shop-name'

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
    before,
    isAllSelected: searchParams.get('select') === 'all',
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  const back = backToList(request, undefined)
  return submit({ request, context }, z.discriminatedUnion('isDone', [MessageReply, MessageMark]), async (input) => {
    if (input.isDone === 'reply') {
      const { email } = await replyToMessage(context, admin, input)
      return toastTo(context, back, `Your reply is on its way to ${email}.`)
    }
    const { isDone, messageId: ids = [] } = input
    if (ids.length === 0) throw new Refusal('invalid', 'Select the messages first.')
    const marked = await markMessages(context, admin, ids, isDone)
    // After a repeated press, nothing has changed: it is so already.
    const which = marked.length > 1 ? `${marked.length} messages are` : 'The message is'
    if (!isDone || marked.length === 0) return toastTo(context, back, `${which} ${isDone ? 'done' : 'open'}.`)
    const fields: Undo['fields'] = [['isDone', 'no'], ...marked.map((id): [string, string] => ['messageId', id])]
    return toastTo(context, back, `${which} done.`, { undo: { action: back, fields } })
  })
}

export default function Messages() {
  const { messages, next, isDone, before, isAllSelected } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>())
  const replied =
    form.field('reply').errors || form.field('reply').initialValue ? form.field('messageId').initialValue : ''
  const list = lists.find((each) => each.isDone === isDone)!
  const here = before === undefined ? list.path : pageBefore(list.path, before)
  return (
    <>
      <PageHeader title="Messages" />
      {!messages.some(({ id }) => id === replied) && <FormError errors={form.errors} />}
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
        <div>
          <ul className="entries">
            {messages.map((message) => (
              <Entry
                key={message.id}
                message={message}
                isSelected={isAllSelected}
                form={replied === message.id ? form : formState(undefined)}
              />
            ))}
          </ul>
          {!isDone && (
            <SelectionBar
              action={here}
              fields={[]}
              selectAll={{
                href: isAllSelected ? here : `${here}${here.includes('?') ? '&' : '?'}select=all`,
                isOn: isAllSelected,
              }}
            >
              <Button variant="quiet" name="isDone" value="yes">
                Mark as done
              </Button>
            </SelectionBar>
          )}
        </div>
      ) : (
        <EmptyState title={isDone ? 'Nothing is done yet' : 'Nothing to answer'}>
          What visitors write with the contact form appears here.
        </EmptyState>
      )}
      <Pager first={before === undefined ? null : list.path} next={next && pageBefore(list.path, next)} />
    </>
  )
}

function pageBefore(list: string, cursor: string): string {
  return `${list}${list.includes('?') ? '&' : '?'}before=${encodeURIComponent(cursor)}`
}

interface EntryProps {
  message: StoredMessage
  isSelected: boolean
  /** Of a refused reply. */
  form: FormState
}

function Entry({ message, isSelected, form }: EntryProps) {
  const { id, name, email, createdAt, doneAt } = message
  return (
    <li>
      <h2 id={id}>
        {doneAt === null ? (
          <label className="entry-select">
            <input
              type="checkbox"
              form={selectionForm}
              name="messageId"
              value={id}
              defaultChecked={isSelected}
              aria-label={`Select the message of ${name}`}
            />
            {name}
          </label>
        ) : (
          name
        )}
      </h2>
      <p className="hint">
        {email} · {formatTime(createdAt)}
      </p>
      <p className="text">{message.message}</p>
      <RowForm className="form" fields={{ messageId: id }}>
        {doneAt === null && (
          <Field label="Reply" {...form.field('reply')} id={`reply-${id}`} rows={3} maxLength={5000} />
        )}
        <FormError errors={form.errors} />
        <p className="actions">
          {doneAt === null && (
            <Button name="isDone" value="reply" aria-describedby={id}>
              Send and close
            </Button>
          )}{' '}
          <Button variant="quiet" name="isDone" value={doneAt === null ? 'yes' : 'no'} aria-describedby={id}>
            {doneAt === null ? 'Done' : 'Open again'}
          </Button>
        </p>
      </RowForm>
    </li>
  )
}
