import { sql } from 'drizzle-orm'
import { setEmailColors, setShopContact, setShopName } from '../../shop-name'
import type { Db } from '../../db/open.server'
import { setFamilies, type Family } from '../catalog/families'
import { familiesJson, firstFamilies, parseFamilies } from '../catalog/families.server'
import { footerJson, parseFooter } from '../pages/footer.server'
import type { FooterLink } from '../pages/pages'
import { setTimeZone } from '../shared/dates'
import { parseEmailWords, setEmailWords } from '../email/write-words.server'
import { shadesOf } from './colors'
import { parseSettings } from './settings.server'
import type { Settings, SettingsDocument } from './settings'

interface Stored {
  version: number | null
  document: string | null
  footer: string
  families: string
}

const storedSettings = sql`
  SELECT newest.version, newest.document, (${sql.raw(footerJson)}) AS footer, (${sql.raw(familiesJson)}) AS families
  FROM (SELECT max(version) AS version FROM settings_versions) AS last
  LEFT JOIN settings_versions AS newest ON newest.version = last.version`

/** Milliseconds. The first page of an isolate does not wait longer for the settings than for a slow line. */
const patience = 1500

/** Milliseconds. */
const longestSilence = 1000

/**
 * The settings, the families of instruments and the pages that the footer links, as this isolate knows them (decision 47). A request asks for
 * them beside its own work if nobody has for a second, so that no page waits; what another isolate has saved shows on the page after.
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
  private askedAt = 0
  private isStale = true
  /** How often it has asked, and which question was answered last. */
  private asked = 0
  private answered = 0
  /** Something was rendered with the values of the deployment. */
  private hasGuessed = false

  constructor(private readonly defaults: Settings) {}

  get values(): Settings {
    return { ...this.defaults, ...this.document }
  }

  get footer(): FooterLink[] {
    return this.links
  }

  /** This isolate has changed them: the next request waits for what is stored. */
  forget(): void {
    this.isStale = true
    // A question that is under way may have been answered before the change.
    this.answered = this.asked + 1
  }

  /**
   * Asks the database, at most once a second; a request waits only for what this isolate has never known or has changed itself. `onChange`: what
   * was rendered before is no longer true.
   */
  async refresh(open: () => Db, later: (task: () => Promise<unknown>) => void, onChange: () => void): Promise<void> {
    if (!this.isStale && Date.now() - this.askedAt < longestSilence) return
    const asked = this.ask(open(), onChange)
    if (!this.isStale) {
      later(() => asked)
      return
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    await Promise.race([asked, new Promise((resolve) => (timer = setTimeout(resolve, patience)))])
    clearTimeout(timer)
    if (this.version < 0) this.hasGuessed = true
  }

  private async ask(db: Db, onChange: () => void): Promise<void> {
    this.askedAt = Date.now()
    const nth = ++this.asked
    // Who is away says nothing.
    const [row] = await db.all<Stored>(storedSettings).catch(() => [])
    if (!row || nth < this.answered) return
    this.answered = nth
    this.take(row, onChange)
  }

  private take({ version: stored, document, footer, families }: Stored, onChange: () => void): void {
    const version = stored ?? 0
    const mayBeShown = this.version >= 0 || this.hasGuessed
    this.isStale = false
    if (version === this.version && footer === this.footerText && families === this.familiesText) return
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
    if (mayBeShown) onChange()
  }

  /** For what reads the name, the time zone, the families and the words of emails as bindings of their modules. */
  use(): void {
    const { mainColor, accentColor, timeZone } = this.values
    setShopName(this.values)
    setShopContact(this.values)
    setTimeZone(timeZone)
    setFamilies(this.families)
    setEmailWords(this.emailWords)
    setEmailColors(emailColorsOf(mainColor, accentColor))
  }
}

function emailColorsOf(mainColor: string, accentColor: string) {
  const [main, accent] = [mainColor, accentColor].map((color) => (color ? shadesOf(color) : null))
  return {
    ...(main && { main: main.light, mainDark: main.dark }),
    ...(accent && { accent: accent.light, accentDark: accent.dark }),
  }
}
