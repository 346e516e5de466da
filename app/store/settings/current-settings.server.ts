import { sql } from 'drizzle-orm'
import { setEmailColors, setShopName } from '../../shop-name'
import type { Companion, Db } from '../../db/open.server'
import { setFamilies, type Family } from '../catalog/families'
import { familiesJson, firstFamilies, parseFamilies } from '../catalog/families.server'
import { footerJson, parseFooter } from '../pages/footer.server'
import type { FooterLink } from '../pages/pages'
import { setTimeZone } from '../shared/dates'
import { parseEmailWords, setEmailWords } from '../email/write-words.server'
import { shadesOf } from './colors'
import { parseSettings } from './settings.server'
import type { Settings, SettingsDocument } from './settings'

/** Milliseconds. A page does not wait longer for the settings than for a slow line. */
const patience = 1500

/** Milliseconds: how long an isolate that only serves copies does not ask. */
const longestSilence = 1000

/**
 * The settings, the families of instruments and the pages that the footer links, as this isolate knows them. Each request to the database asks along whether there is
 * a newer version, and brings it (decision 47): no page makes a round trip for them, and every page that reads the database is of today.
 */
export class CurrentSettings {
  /** -1: not known yet. 0: none is stored. */
  private version = -1
  private document: SettingsDocument = {}
  private emailWords: ReturnType<typeof parseEmailWords> = {}
  private footerText = '[]'
  private links: FooterLink[] = []
  private familiesText = '[]'
  private families: Family[] = firstFamilies
  /** How many requests to the database have asked, and which of them was answered last. */
  private asked = 0
  private answered = 0
  private heardAt = 0
  private askedAt = 0

  constructor(private readonly defaults: Settings) {}

  get values(): Settings {
    return { ...this.defaults, ...this.document }
  }

  get footer(): FooterLink[] {
    return this.links
  }

  /** `onChange`: what was rendered before is no longer true. */
  companion(onChange: () => void): Companion {
    return () => {
      const [nth, known] = [++this.asked, this.version]
      const statement = {
        sql: `SELECT newest.version, iif(newest.version = ?, '', newest.document), (${footerJson}), (${familiesJson})
          FROM (SELECT max(version) AS version FROM settings_versions) AS last
          LEFT JOIN settings_versions AS newest ON newest.version = last.version`,
        args: [{ type: 'integer' as const, value: String(known) }],
      }
      const read: ReturnType<Companion>['read'] = (rows) => {
        this.heardAt = Date.now()
        // What was asked later has been answered already, and may be newer.
        if (nth < this.answered) return
        this.answered = nth
        // Before the migration there is no such table.
        if (rows === null && this.version >= 0) return
        const [version, document, footer, families] = rows?.[0] ?? []
        // Nothing new then, but something else is known by now: this answer has no document.
        if (Number(version?.value) === known && known !== this.version) return
        const news = {
          document: document?.value ?? '',
          footer: footer?.value ?? '[]',
          families: families?.value ?? '[]',
        }
        this.take(Number(version?.value ?? 0), news, onChange)
      }
      return { statement, read }
    }
  }

  private take(
    version: number,
    { document, footer, families }: Record<'document' | 'footer' | 'families', string>,
    onChange: () => void,
  ): void {
    if (version === this.version && footer === this.footerText && families === this.familiesText) return
    const wasSilent = this.version < 0 && this.askedAt === 0
    if (version !== this.version) {
      this.document = document ? parseSettings(document) : {}
      this.emailWords = document ? parseEmailWords(document) : {}
    }
    if (footer !== this.footerText) this.links = parseFooter(footer)
    if (families !== this.familiesText) this.families = parseFamilies(families)
    this.version = version
    this.footerText = footer
    this.familiesText = families
    this.use()
    // Nothing was rendered before the first answer.
    if (!wasSilent) onChange()
  }

  /** For what reads the name, the time zone, the families and the words of emails as bindings of their modules. */
  use(): void {
    const { mainColor, accentColor, timeZone } = this.values
    setShopName(this.values)
    setTimeZone(timeZone)
    setFamilies(this.families)
    setEmailWords(this.emailWords)
    setEmailColors(emailColorsOf(mainColor, accentColor))
  }

  /** For the first request of an isolate, which waits for them: a page without the database must not show another name. */
  async load(db: Db): Promise<void> {
    if (this.version >= 0) return
    let timer: ReturnType<typeof setTimeout> | undefined
    await Promise.race([ask(db), new Promise((resolve) => (timer = setTimeout(resolve, patience)))])
    clearTimeout(timer)
    // Not a word yet: what is rendered now has the values of the deployment.
    if (this.version < 0) this.askedAt = Date.now()
  }

  /** For an isolate that serves copies: asks once a second. */
  async listen(open: () => Db): Promise<void> {
    const now = Date.now()
    if (now - Math.max(this.heardAt, this.askedAt) < longestSilence) return
    this.askedAt = now
    await ask(open())
  }
}

function emailColorsOf(mainColor: string, accentColor: string) {
  const [main, accent] = [mainColor, accentColor].map((color) => (color ? shadesOf(color) : null))
  return {
    ...(main && { main: main.light, mainDark: main.dark }),
    ...(accent && { accent: accent.light, accentDark: accent.dark }),
  }
}

/** Any statement: the companion goes with it. Who is away says nothing. */
async function ask(db: Db): Promise<void> {
  await db.run(sql`SELECT 1`).catch(() => undefined)
}
