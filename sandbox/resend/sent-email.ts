export interface SentEmail {
  id: string
  from: string
  to: string
  replyTo: string | null
  subject: string
  text: string | null
  html: string | null
  headers: Record<string, string>
  at: string
}
