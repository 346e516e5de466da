import { families } from '../../store/catalog/families'
import { firstSteps, type FirstStepsDone } from '../../store/screens/first-steps'
import { Button } from '../button'
import { SectionHeader } from '../layout/section-header'
import { RowForm } from '../row-form'

/** On the overview of a new shop, until all is done. */
export function FirstSteps({ done }: { done: NonNullable<FirstStepsDone> }) {
  return (
    <section className="section first-steps" aria-labelledby="first-steps">
      <SectionHeader title="Before you open" id="first-steps" />
      <ol>
        {firstSteps.map(({ key, text, href }) => (
          <li key={key} className={done[key] ? 'is-done' : undefined}>
            <Mark isDone={done[key]} />
            <div>
              <a href={href}>{text}</a>
              {key === 'instrument' && !done.instrument && (
                <>
                  {' or '}
                  <a href="/dashboard/manageProduct/import">a CSV file</a>
                </>
              )}
              {key === 'families' && !done.families && (
                <p className="hint">{families.map(({ name }) => name).join(', ')}</p>
              )}
              {done[key] && <span className="hint"> Done</span>}
            </div>
            {key === 'families' && !done.families && (
              <RowForm action="/dashboard?index" fields={{ firstSteps: 'families' }}>
                <Button variant="quiet" aria-label="Keep these families">
                  Keep
                </Button>
              </RowForm>
            )}
          </li>
        ))}
      </ol>
      <form method="post" action="/dashboard?index">
        <Button variant="quiet" name="firstSteps" value="aside">
          Put this list aside
        </Button>
      </form>
    </section>
  )
}

function Mark({ isDone }: { isDone: boolean }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="8.5" fill="none" stroke="currentColor" />
      {isDone && <path d="M6 10.5l3 3 5.500-6.500" fill="none" stroke="currentColor" strokeWidth="2" />}
    </svg>
  )
}
