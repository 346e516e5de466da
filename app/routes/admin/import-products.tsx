import {
  data,
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { CsvError } from '../../http/csv/csv.server'
import type { ForeignNote } from '../../http/csv/foreign-product'
import { importForeign, type ForeignImport } from '../../http/csv/import-foreign.server'
import { readForm } from '../../http/request/forms.server'
import { readProducts, readText } from '../../http/csv/product-csv.server'
import { toastTo } from '../../http/response/toast.server'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import {
  importInstruments,
  planImport,
  type ImportChange,
  type ImportPlan,
  type ImportProblem,
  type KnownChoice,
  type LeftLine,
} from '../../store/catalog/import-instruments.server'
import { listExportParts, type ExportPart } from '../../store/catalog/feeds.server'
import { maxImportBytes, maxImportLines } from '../../store/shared/limits'
import { Button, ButtonLink } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorSummary } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Notice } from '../../ui/notice'
import { Select } from '../../ui/select'
import { ResponsiveTable } from '../../ui/responsive-table'
import { shopName } from '../../shop-name'

const list = '/dashboard/manageProduct'
const copyPage = `${list}/pictures`
const resultId = 'result'

/** Rows of a table on the page: more would help nobody. */
const maxShown = 100

export const meta: MetaFunction = () => [{ title: `Import CSV · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  return { parts: await listExportParts(context) }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  const upload = await readUpload(request)
  if ('error' in upload) {
    return data(
      { lastResult: { error: { file: [upload.error] } }, result: null, foreign: null },
      { status: upload.status },
    )
  }
  const { text, name, isApply, choice } = upload
  const foreign = await readAsForeign(context, text, isApply ? admin : null, choice)
  if (foreign && !(foreign instanceof CsvError)) return answerForeign(context, foreign, upload)
  const plan = await planOf(foreign ?? text, (lines) =>
    isApply ? importInstruments(context, admin, lines, choice) : planImport(context, lines, choice),
  )
  const isWrong = plan.problems.length > 0
  if (isApply && !isWrong && plan.left.length === 0) {
    const isNew = plan.changes.length > 0
    const message = isNew ? `Imported: ${countsOf(plan)}.` : 'The shop has all of this already. Nothing was changed.'
    return toastTo(context, list, message, { type: isNew ? 'success' : 'info' })
  }
  const { changes, problems, left, otherStock } = plan
  const shown = { changes: changes.slice(0, maxShown), problems: problems.slice(0, maxShown) }
  const more = { changes: changes.length - shown.changes.length, problems: problems.length - shown.problems.length }
  const summary = countsOf(plan)
  return data(
    {
      lastResult: null,
      result: { ...shown, more, summary, otherStock, left, choice, name, isApply, text: isWrong ? null : text },
      foreign: null,
    },
    { status: isWrong ? 422 : 200 },
  )
}

/** Null: it is a file of our own, whose reader names what is wrong with its first line. */
async function readAsForeign(context: AppLoadContext, text: string, admin: { id: string } | null, choice: KnownChoice) {
  try {
    return await importForeign(context, text, admin, choice)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return error.line > 1 ? error : null
  }
}

interface Checked {
  text: string
  name: string
  isApply: boolean
  choice: KnownChoice
}

async function answerForeign(context: AppLoadContext, file: ForeignImport, { text, name, isApply, choice }: Checked) {
  const { from, plan, left, notes, joined, total, withoutFamily, unused } = file
  const lost = withoutFamily.length > 0 ? ` ${withoutFamily.length} have no family.` : ''
  const message = `Imported from ${from}: ${countsOf(plan)}; ${left.length} lines left out.${lost}`
  // What is left out, or does not fit, is named here. Else there is nothing more to say.
  if (isApply && left.length + notes.length + plan.left.length + unused.length === 0) {
    // Where scripts run, copying begins at once.
    const next = context.pictures && plan.changes.length > 0 ? `${copyPage}?begin` : list
    return toastTo(context, next, message, { type: plan.changes.length > 0 ? 'success' : 'info' })
  }
  const shown = {
    left: left.slice(0, maxShown),
    notes: notes.slice(0, maxShown),
    changes: plan.changes.slice(0, maxShown),
  }
  const more = {
    left: left.length - shown.left.length,
    notes: notes.length - shown.notes.length,
    changes: plan.changes.length - shown.changes.length,
  }
  const { added, unchanged } = plan
  return data({
    lastResult: null,
    result: null,
    foreign: {
      ...{ from, added, unchanged, joined, total, withoutFamily, unused, leftOut: left.length, ...shown, more, name },
      // What the shop has already may still be changed.
      ...{
        known: plan.left,
        choice,
        text: isApply && plan.left.length === 0 ? null : text,
        applied: isApply ? message : null,
      },
    },
  })
}

type Upload = Checked | { error: string; status: number }

const tooLarge = { error: `The file is larger than ${maxImportBytes / 1024 / 1024} MB.`, status: 413 }

/** The file, or the text that was checked: a browser forgets the file after each response. */
async function readUpload(request: Request): Promise<Upload> {
  // Beside the file there are line breaks, which the text of a form has as two characters.
  const form = await readForm(request, maxImportBytes * 1.25).catch((refusal: unknown) => {
    if (refusal instanceof Response && refusal.status === 413) return null
    throw refusal
  })
  if (!form) return tooLarge
  const isApply = form.get('intent') === 'apply'
  const choice = readChoice(form)
  const file = form.get('file')
  if (!(file instanceof File) || file.size === 0) {
    const [text, name] = [form.get('checked'), form.get('name')]
    if (typeof text === 'string' && text !== '')
      return { text, name: typeof name === 'string' ? name : '', isApply, choice }
    return { error: 'Choose a file', status: 422 }
  }
  if (file.size > maxImportBytes) return tooLarge
  const text = await readText(file)
  if (text !== null) return { text, name: file.name, isApply, choice }
  return { error: 'This is not a CSV file in UTF-8. In a spreadsheet, save it as "CSV UTF-8".', status: 422 }
}

function readChoice(form: FormData): KnownChoice {
  const [known, named] = [form.get('known'), form.get('named')]
  return {
    known: known === 'change' ? known : 'leave',
    named: named === 'change' || named === 'add' ? named : 'leave',
  }
}

async function planOf(text: string | CsvError, plan: (lines: ReturnType<typeof readProducts>) => Promise<ImportPlan>) {
  try {
    if (text instanceof CsvError) throw text
    return await plan(readProducts(text))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const problem: ImportProblem = { line: error.line, column: null, message: error.message }
    return {
      ...{ problems: [problem], changes: [], added: 0, changed: 0, stockChanges: 0, unchanged: 0, otherStock: 0 },
      ...{ left: [], newLines: [] },
    }
  }
}

function countsOf({ added, changed, stockChanges, unchanged }: ImportPlan): string {
  return [
    `${added} new`,
    `${changed} changed`,
    `${stockChanges} stock change${stockChanges === 1 ? '' : 's'}`,
    `${unchanged} unchanged`,
  ].join(', ')
}

export default function ImportProducts() {
  const actionData = useActionData<typeof action>()
  const form = formState(actionData?.lastResult ? { lastResult: actionData.lastResult } : undefined)
  const result = actionData?.result
  const foreign = actionData?.foreign
  const last = foreign ?? result
  const checked = last?.text ? { text: last.text, name: last.name } : null
  const { parts } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title="Import CSV"
        lead="Export CSV, change the file in a spreadsheet, and bring it back. Or bring the file of products that Shopify or WooCommerce exports."
      />
      {result && <Result result={result} />}
      {foreign && <Foreign file={foreign} />}
      <form className="form" method="post" encType="multipart/form-data" action={`#${resultId}`} noValidate>
        <ErrorSummary form={form} />
        {checked && (
          <>
            <textarea name="checked" defaultValue={checked.text} hidden readOnly />
            <input type="hidden" name="name" value={checked.name} />
          </>
        )}
        <Field
          label="File"
          type="file"
          accept=".csv,text/csv"
          {...form.field('file')}
          hint={
            checked
              ? `Only to replace ${checked.name || 'the file'}: it was checked, and need not be chosen again.`
              : undefined
          }
        />
        {last && <KnownFields last={last} />}
        <p className="actions">
          <Button name="intent" value="check" variant={checked ? 'quiet' : 'main'}>
            Check
          </Button>{' '}
          <Button name="intent" value="apply" variant={checked ? 'main' : 'quiet'}>
            Apply
          </Button>{' '}
          <ButtonLink variant="quiet" href={list}>
            Back
          </ButtonLink>
        </p>
      </form>
      {parts.length > 1 && <Parts parts={parts} />}
      <Rules />
      <section className="section">
        <h2>Pictures of other shops</h2>
        <p>
          After such an import, products show their pictures from the other shop. <a href={copyPage}>Copy them here</a>,
          before that shop goes.
        </p>
      </section>
      <section className="section">
        <h2>Export everything</h2>
        <p>
          Products, orders, customers, reviews, pages and uploaded pictures in one archive. It has personal data: keep
          it safe.
        </p>
        <p className="actions">
          <ButtonLink variant="quiet" href="/dashboard/export.zip">
            Export everything
          </ButtonLink>
        </p>
      </section>
    </>
  )
}

function Parts({ parts }: { parts: ExportPart[] }) {
  return (
    <section className="section" id="parts">
      <h2>Export in parts</h2>
      <p>
        A file may have at most {inThousands(maxImportLines)} products and {maxImportBytes / 1024 / 1024} MB. This shop
        has more. Export these parts, and import one after the other:
      </p>
      <ul className="rules">
        {parts.map(({ first, last, after, through }, index) => (
          <li key={first}>
            <a href={`${list}.csv?part=${index + 1}&after=${after}${through === null ? '' : `&through=${through}`}`}>
              Products {inThousands(first)} to {inThousands(last)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function inThousands(count: number): string {
  return count.toLocaleString('en-US')
}

interface Last {
  choice: KnownChoice
}

/** What to do with lines of products that the shop has already: shown where there are some, or were when the file was checked. */
function KnownFields({ last }: { last: Last & ({ left: LeftLine[] } | { known: LeftLine[] }) }) {
  const lines = 'known' in last ? last.known : last.left
  const { known, named } = last.choice
  const field = (name: string, initialValue: string) => ({ name, initialValue, errors: undefined })
  const both = [
    { value: 'leave', text: 'Leave them as they are' },
    { value: 'change', text: 'Change them to what the file says, stock too' },
  ]
  const add = { value: 'add', text: 'Add them as further products' }
  return (
    <>
      {(known !== 'leave' || lines.some(({ isByName }) => !isByName)) && (
        <Select label="Products that the shop has already" options={both} {...field('known', known)} />
      )}
      {(named !== 'leave' || lines.some(({ isByName }) => isByName)) && (
        <Select label="Products of the same name" options={[...both, add]} {...field('named', named)} />
      )}
    </>
  )
}

/** All of them, as each is a choice. */
function KnownLines({ lines }: { lines: LeftLine[] }) {
  if (lines.length === 0) return null
  return (
    <ResponsiveTable
      caption="In the shop already, left as they are"
      captionHidden={false}
      rows={lines}
      rowKey={({ line }) => String(line)}
      columns={[
        { header: 'Line', rowHeader: true, cell: ({ line }) => `Line ${line}` },
        { header: 'Product', cell: ({ name }) => name },
        { header: 'Known by', cell: ({ by }) => by },
        { header: 'What the file would change', cell: ({ what }) => what },
      ]}
    />
  )
}

function Rules() {
  return (
    <section className="section">
      <h2>What the file does</h2>
      <ul className="rules">
        <li>A line with an id changes that product. A line without id adds one.</li>
        <li>A product that is not in the file stays as it is: you may delete lines. Price breaks stay too.</li>
        <li>
          Stock changes by stockChange, like 5 or -5, with a reason. A new product starts with its availableQuantity.
        </li>
        <li>If somebody changed a product after the export, nothing is applied, and its line is named.</li>
        <li>To add all products of a file to another shop, empty its columns id and version.</li>
        <li>
          A line without id is not added twice. A product that the shop has already is known by its handle or ID in the
          other shop, by its article number (Article in the specification), or by its name. Check names each line that
          says something new, and you choose: leave these products as they are, or change them. Pictures, family and
          minimum stay then, and so does what the other shop leaves empty.
        </li>
        <li>
          Of a file of Shopify or WooCommerce, each variation becomes a product, with its pictures and a text without
          HTML. Prices are read as US dollars, 12,50 like 12.50. A product whose picture cannot be had comes without it.
          What does not fit is named line by line and left out; the rest is applied. WooCommerce may export in English
          or German.
        </li>
        <li>All lines of our own file are applied, or none. Apply the same file again, and nothing happens twice.</li>
      </ul>
    </section>
  )
}

interface ForeignProps {
  file: {
    from: string
    added: number
    unchanged: number
    joined: number
    total: number
    leftOut: number
    withoutFamily: string[]
    left: ForeignNote[]
    notes: ForeignNote[]
    changes: ImportChange[]
    known: LeftLine[]
    unused: ForeignImport['unused']
    more: { left: number; notes: number; changes: number }
    /** What was done; null: nothing yet. */
    applied: string | null
  }
}

function Foreign({ file }: ForeignProps) {
  const { from, added, unchanged, joined, total, withoutFamily, leftOut, left, notes, changes, more, applied } = file
  const { known, unused } = file
  return (
    <section id={resultId} tabIndex={-1}>
      <Notice tone={added > 0 ? 'success' : 'info'}>
        {applied !== null ? (
          <p>
            {applied} What did not fit is named below. <a href={`${copyPage}?begin`}>Copy the pictures</a> of the
            others.
          </p>
        ) : (
          <p>
            {from}, {total} lines: {added} new products, {unchanged} that the shop has already, {joined} lines that
            belong to others, {leftOut} left out{known.length > 0 && `, ${known.length} with news of products here`}.
            Nothing is applied yet.
          </p>
        )}
        {withoutFamily.length > 0 && (
          <p>
            {withoutFamily.length} without a family: {firstOf(withoutFamily)}. Before you apply the file,{' '}
            <a href="/dashboard/settings/families">add families</a> that are called as in the other shop; or name one in
            the form of each product.
          </p>
        )}
      </Notice>
      <KnownLines lines={known} />
      <Notes caption="Left out" notes={left} more={more.left} />
      {unused.length > 0 && (
        <p>
          These columns do not come along:{' '}
          {unused.map(({ column, count }) => `${column} (${count} ${count === 1 ? 'value' : 'values'})`).join(', ')}.
        </p>
      )}
      <Notes caption="Not all of it fits" notes={notes} more={more.notes} />
      {changes.length > 0 && <Changes changes={changes} more={more.changes} />}
    </section>
  )
}

function firstOf(names: string[]): string {
  const shown = names.slice(0, 10)
  return shown.join(', ') + (names.length > shown.length ? ` and ${names.length - shown.length} more` : '')
}

function Notes({ caption, notes, more }: { caption: string; notes: ForeignNote[]; more: number }) {
  if (notes.length === 0) return null
  return (
    <>
      <ResponsiveTable
        caption={caption}
        captionHidden={false}
        rows={notes}
        rowKey={({ line, message }) => `${line} ${message}`}
        columns={[
          { header: 'Line', rowHeader: true, cell: ({ line }) => `Line ${line}` },
          { header: 'Product', cell: ({ name }) => name || 'No name' },
          { header: 'Why', cell: ({ message }) => message },
        ]}
      />
      {more > 0 && <p>And {more} more.</p>}
    </>
  )
}

interface ResultProps {
  result: Pick<ImportPlan, 'changes' | 'problems' | 'otherStock' | 'left'> & {
    more: { changes: number; problems: number }
    summary: string
    isApply: boolean
  }
}

function Result({ result: { changes, problems, left, more, summary, otherStock, isApply } }: ResultProps) {
  if (problems.length > 0) {
    return (
      <section id={resultId} tabIndex={-1}>
        <Notice tone="error">
          <p>
            {isApply ? 'Nothing was applied.' : 'This file cannot be applied.'} Mend these lines and choose the file
            again. Line 1 has the names of the columns.
          </p>
        </Notice>
        <ResponsiveTable
          caption="Problems"
          rows={problems}
          rowKey={({ line, column, message }) => `${line} ${column} ${message}`}
          columns={[
            { header: 'Line', rowHeader: true, cell: ({ line }) => `Line ${line}` },
            { header: 'Column', cell: ({ column }) => column ?? 'All' },
            { header: 'Problem', cell: ({ message }) => message },
          ]}
        />
        {more.problems > 0 && <p>And {more.problems} more.</p>}
      </section>
    )
  }
  return (
    <section id={resultId} tabIndex={-1}>
      <Notice tone="success">
        {isApply ? (
          <p>Imported: {summary}. The lines below are left out.</p>
        ) : (
          <p>No problems: {summary}. Nothing is applied yet.</p>
        )}
        {otherStock > 0 && (
          <p>
            In {otherStock} {otherStock === 1 ? 'line' : 'lines'}, availableQuantity is not the stock of the shop. It
            changes nothing: enter a stockChange.
          </p>
        )}
      </Notice>
      <KnownLines lines={left} />
      {changes.length > 0 && <Changes changes={changes} more={more.changes} />}
    </section>
  )
}

function Changes({ changes, more }: { changes: ImportChange[]; more: number }) {
  return (
    <>
      <ResponsiveTable
        caption="Changes"
        rows={changes}
        rowKey={({ line }) => String(line)}
        columns={[
          { header: 'Line', cell: ({ line }) => line },
          { header: 'Product', rowHeader: true, cell: ({ name }) => name },
          { header: 'Change', cell: ({ what }) => what },
        ]}
      />
      {more > 0 && <p>And {more} more.</p>}
    </>
  )
}
