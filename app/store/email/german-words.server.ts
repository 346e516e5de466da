import type { EmailKindName, EmailWords } from './words.server'

const ofOrder = '{details}\n\n{link}'

/** Of every kind, in German: where an admin has changed the words, customers read those, in whatever language they are. */
export const germanEmailWords: Record<EmailKindName, EmailWords> = {
  'order-placed': {
    subject: 'Ihre Bestellung: {order}, {quantity} × {product}',
    text: `Guten Tag {name},\n\nvielen Dank für Ihre Bestellung. Bitte bezahlen Sie {total} mit Karte.\n\nIhre Stücke sind reserviert bis: {until}.\n\n${ofOrder}`,
    button: '{total} bezahlen',
  },
  'order-placed-paid': {
    subject: 'Ihre Bestellung: {order}, {quantity} × {product}',
    text: `Guten Tag {name},\n\nvielen Dank für Ihre Bestellung.\n\n${ofOrder}`,
    button: 'Bestellung ansehen',
  },
  'order-hold-ends': {
    subject: 'Noch nicht bezahlt: {order}, {quantity} × {product}',
    text: `Guten Tag {name},\n\nIhre Bestellung ist noch nicht bezahlt. Ihre Stücke sind bis {until} reserviert. Danach stornieren wir die Bestellung, und es wird nichts abgebucht.\n\n${ofOrder}`,
    button: '{total} bezahlen',
  },
  'order-paid': {
    subject: 'Quittung: {order}, {quantity} × {product}',
    text: `Guten Tag {name},\n\nvielen Dank. Wir haben Ihre Zahlung von {total} erhalten. Dies ist Ihre Quittung.\n\n${ofOrder}`,
    button: 'Quittung ansehen',
  },
  'order-shipped': {
    subject: 'Unterwegs: {order}, {quantity} × {product}',
    text: `Guten Tag {name},\n\nIhre Bestellung ist auf dem Weg zu Ihnen.\n\n${ofOrder}`,
    button: 'Quittung ansehen',
  },
  'order-cancelled': {
    subject: 'Storniert: {order}, {quantity} × {product}',
    text: `Guten Tag {name},\n\n{reason}\n\n${ofOrder}`,
    button: 'Noch einmal bestellen',
  },
  refund: {
    subject: 'Erstattung: {sum} für {order}',
    text: `Guten Tag {name},\n\nwir haben {sum} Ihrer Bestellung auf Ihre Karte erstattet. Es dauert 5 bis 10 Tage, bis Ihre Bank das anzeigt.\n\nGrund: {reason}\n\n${ofOrder}`,
    button: 'Bestellung ansehen',
  },
  'payment-returned': {
    subject: 'Erstattung: {sum} für {order}',
    text: `Guten Tag {name},\n\nwir haben eine Zahlung von {sum} für eine Bestellung erhalten, die {why}. Wir haben alles auf Ihre Karte erstattet. Es dauert 5 bis 10 Tage, bis Ihre Bank das anzeigt.\n\n${ofOrder}`,
    button: 'Bestellung ansehen',
  },
  'quote-offered': {
    subject: 'Unser Angebot: {quantity} × {product}',
    text: 'Hier ist der Preis, nach dem Sie gefragt haben. Er reserviert keine Stücke: Bestellen Sie, bevor sie verkauft sind und bevor das Angebot endet.\n\nVon den {quantity} Stück sind zurzeit nur {short} verfügbar. Sie können das Angebot annehmen, sobald es genug sind.\n\n{reply}\n\n{details}\n\n{link}',
    button: 'Anfrage ansehen',
  },
  'quote-declined': {
    subject: 'Zu Ihrer Anfrage: {quantity} × {product}',
    text: 'Für {quantity} × {product} haben wir kein Angebot.\n\n{reply}\n\n{link}',
    button: 'Anfrage ansehen',
  },
  'back-in-stock': {
    subject: 'Wieder da: {product}',
    text: 'Sie wollten eine E-Mail, wenn {product} wieder da ist.\n\nJetzt auf Lager: {available}, Mindestmenge: {minimum}. Wir reservieren nichts für Sie: Wer zuerst bestellt, bekommt es.\n\n{unsubscribe}\n\n{link}',
    button: 'Instrument ansehen',
  },
  'back-in-stock-short': {
    subject: 'Wieder da: {product}',
    text: 'Sie wollten eine E-Mail, wenn {product} wieder da ist.\n\nEs war wieder da, und andere waren schneller. Jetzt: {shortage}. Auf seiner Seite gibt es einen Knopf für eine weitere E-Mail.\n\n{unsubscribe}\n\n{link}',
    button: 'Instrument ansehen',
  },
  'review-wanted': {
    subject: 'Wie ist es: {product}?',
    text: 'Guten Tag {name},\n\nSie haben bei uns gekauft: {product}. Wer über einen Kauf nachdenkt, möchte gern lesen, wie es ist: Ein paar Worte und Sterne genügen, ganz gleich, was Sie davon halten.\n\n{unsubscribe}\n\n{link}',
    button: 'Bewertung schreiben',
  },
  'contact-copy': {
    subject: 'Ihre Nachricht an {shop}',
    text: 'Guten Tag {name},\n\nvielen Dank für Ihre Nachricht. Wir antworten, sobald wir können. Sie haben geschrieben:\n\n{message}',
    button: '',
  },
  'verify-email': {
    subject: 'Bitte bestätigen Sie Ihre E-Mail-Adresse',
    text: 'Guten Tag,\n\nwillkommen bei {shop}. Bitte bestätigen Sie Ihre E-Mail-Adresse mit diesem Link. Er gilt einmal, 24 Stunden lang.\n\n{link}',
    button: 'Meine E-Mail-Adresse bestätigen',
  },
  'reset-password': {
    subject: 'Neues Passwort wählen',
    text: '{greeting}\n\nmit diesem Link wählen Sie ein neues Passwort für Ihr Konto bei {shop}. Er gilt einmal, 10 Minuten lang.\n\n{link}',
    button: 'Neues Passwort wählen',
  },
  'sign-in': {
    subject: 'Anmelden mit einem neuen Browser',
    text: 'Guten Tag,\n\njemand hat bei Ihrem Konto bei {shop} viele falsche Passwörter versucht. Zurzeit kann man sich deshalb nur mit Browsern anmelden, die Sie schon benutzt haben.\n\nUm sich mit einem neuen Browser anzumelden, öffnen Sie diesen Link darin innerhalb von 30 Minuten.\n\n{link}',
    button: 'Mit diesem Browser anmelden',
  },
  account: {
    subject: '{title}',
    text: 'Guten Tag,\n\n{change}\n\nWenn Sie das waren, ist nichts zu tun. Wenn nicht, wählen Sie ein neues Passwort. Damit werden alle Browser abgemeldet.\n\n{link}',
    button: 'Neues Passwort wählen',
  },
  'wrong-codes': {
    subject: 'Falsche Codes für Ihr Konto',
    text: 'Guten Tag,\n\njemand hat sich bei Ihrem Konto bei {shop} bis zum Code des zweiten Faktors angemeldet und dann zu viele falsche Codes eingegeben. Damit kommt niemand hinein.\n\nWenn Sie das waren, nehmen Sie einen Wiederherstellungscode oder einen Passkey, oder warten Sie. Wenn nicht, kennt jemand Ihr Passwort: Wählen Sie ein neues.\n\n{link}',
    button: 'Neues Passwort wählen',
  },
  'account-closed': {
    subject: 'Ihr Konto ist geschlossen',
    text: 'Guten Tag,\n\nIhr Konto bei {shop} ist geschlossen, und niemand kann es wieder öffnen. Ihre unbezahlten Bestellungen haben wir storniert. Eine Zahlung, die für eine davon noch ankommt, geht zurück auf die Karte.\n\nWas Sie bezahlt haben, versenden wir. E-Mails zu bezahlten Bestellungen kommen weiter an diese Adresse.\n\nMit derselben Adresse können Sie sich jederzeit neu registrieren.\n\n{link}',
    button: 'Zum Shop',
  },
}
