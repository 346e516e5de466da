/**
 * What the shop says in German, by what it says in English: a text is written once where it is shown, as `t('Sign Out')`, and a text that
 * stands here no longer is used nowhere (decision 55). `{name}` is a variable; both languages have the same. Money, numbers and days
 * are formatted by `Intl`.
 */
export const german = {
  // Header, footer, and parts of many pages
  'Skip to content': 'Zum Inhalt springen',
  Main: 'Hauptmenü',
  Home: 'Startseite',
  Dashboard: 'Mein Konto',
  'Sign Out': 'Abmelden',
  Login: 'Anmelden',
  Register: 'Registrieren',
  Search: 'Suchen',
  'Search instruments': 'Instrumente',
  Find: 'Finden',
  Families: 'Instrumentenfamilien',
  'More families': 'Weitere Familien',
  Services: 'Leistungen',
  Branding: 'Branding',
  Design: 'Design',
  Marketing: 'Marketing',
  Advertisement: 'Werbung',
  Company: 'Unternehmen',
  'About us': 'Über uns',
  Contact: 'Kontakt',
  Jobs: 'Jobs',
  'Press kit': 'Pressemappe',
  Legal: 'Rechtliches',
  'Terms of use': 'AGB',
  'Privacy policy': 'Datenschutz',
  'Cookie policy': 'Cookie-Richtlinie',
  'Our profile': 'Unser Profil',
  'A violin with a broken string': 'Eine Geige mit gerissener Saite',
  'Page not found': 'Seite nicht gefunden',
  'There is nothing at this address. The link may be old or wrong.':
    'Unter dieser Adresse gibt es nichts. Der Link ist vielleicht veraltet oder falsch.',
  'View All Instruments': 'Alle Instrumente ansehen',
  'Something went wrong': 'Da ist etwas schiefgegangen',
  'We could not understand that request.': 'Diese Anfrage konnten wir nicht verstehen.',
  'Back to the home page': 'Zurück zur Startseite',
  'We could not read this form. Go back, reload the page and try again.':
    'Wir konnten dieses Formular nicht lesen. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
  'This request did not come from our shop, so nothing was changed. If you filled in a form here, go back, reload the page and send it again.':
    'Diese Anfrage kam nicht aus unserem Shop, deshalb wurde nichts geändert. Wenn Sie hier ein Formular ausgefüllt haben, gehen Sie zurück, laden Sie die Seite neu und senden Sie es noch einmal ab.',
  'You cannot send anything to this address.': 'An diese Adresse können Sie nichts senden.',
  'That is too long. Go back and shorten it.': 'Das ist zu lang. Gehen Sie zurück und kürzen Sie es.',
  'This page only accepts forms.': 'Diese Seite nimmt nur Formulare an.',
  'The fault is on our side. Please try again in a minute.':
    'Der Fehler liegt bei uns. Bitte versuchen Sie es in einer Minute noch einmal.',
  'Reload this page, or go back and send the form again.':
    'Laden Sie diese Seite neu, oder gehen Sie zurück und senden Sie das Formular noch einmal ab.',
  'The shop cannot be reached completely. As of {time} UTC. You cannot log in or order right now.':
    'Der Shop ist zurzeit nicht vollständig erreichbar. Stand: {time} UTC. Anmelden und Bestellen ist gerade nicht möglich.',
  Loading: 'Wird geladen',
  'Working…': 'Einen Moment …',
  Undo: 'Rückgängig machen',
  'Error:': 'Fehler:',
  'There is a problem': 'Bitte prüfen Sie Ihre Angaben',
  Pages: 'Seiten',
  '← Previous': '← Zurück',
  '← First page': '← Erste Seite',
  'Next →': 'Weiter →',
  'End of the list': 'Ende der Liste',
  '“{word}”': '„{word}“',
  or: 'oder',
  more: 'mehr',
  '{others} and {last}': '{others} und {last}',

  // Home. What the shop says of itself, until the shopkeeper says something else.
  'handcrafted instruments and cases': 'handgefertigte Instrumente und Koffer',
  'For over four decades we have designed, imported and distributed handcrafted instruments, at fair prices.':
    'Seit über vier Jahrzehnten entwerfen, importieren und vertreiben wir handgefertigte Instrumente, zu fairen Preisen.',
  'Over four decades of sourcing handcrafted instruments have taught us what to look for: sound wood, clean joints, keys that close. The shop has grown order by order, and we still choose each piece the same way before it goes to players, teachers and small shops.':
    'In über vier Jahrzehnten haben wir gelernt, worauf es bei handgefertigten Instrumenten ankommt: gutes Holz, saubere Fugen, Klappen, die schließen. Der Shop ist mit jeder Bestellung gewachsen, und noch immer wählen wir jedes Stück so aus, bevor es zu Musikern, Lehrern und kleinen Läden geht.',
  'Designer, importer and distributor of handcrafted instruments: {families}, sourced for over four decades at the best world-market price.':
    'Entwurf, Import und Vertrieb handgefertigter Instrumente: {families}, seit über vier Jahrzehnten zum besten Weltmarktpreis eingekauft.',
  'Hello Music Lovers': 'Willkommen, liebe Musikfreunde',
  'Get Started': 'Jetzt entdecken',
  Payment: 'Zahlung',
  'By card': 'Mit Karte',
  'Our Instruments': 'Unsere Instrumente',
  'Nothing on sale right now': 'Zurzeit gibt es nichts zu kaufen',
  'Contact us': 'Schreiben Sie uns',
  'Tell us what you are looking for.': 'Sagen Sie uns, was Sie suchen.',
  'About Us': 'Über uns',
  'Know More': 'Mehr erfahren',
  'How ordering works': 'So bestellen Sie',
  'Players, teachers and small shops order here, a few pieces at a time.':
    'Hier bestellen Musiker, Lehrer und kleine Läden, jeweils ein paar Stück.',
  'Choose an instrument': 'Instrument auswählen',
  'You see its price, how many we have and the minimum order.':
    'Sie sehen den Preis, unseren Bestand und die Mindestmenge.',
  'Order the minimum or more': 'Mindestmenge oder mehr bestellen',
  'Choose how many.': 'Wählen Sie die Stückzahl.',
  'Pay by card': 'Mit Karte zahlen',
  'Pay while we reserve your pieces: your order says until when. You can cancel it until it is paid.':
    'Zahlen Sie, solange wir Ihre Stücke reservieren: bis wann, steht in der Bestellung. Bis zur Zahlung können Sie sie stornieren.',
  'We ship': 'Wir versenden',
  'We pack your paid order, send it to your address and email you.':
    'Wir verpacken Ihre bezahlte Bestellung, schicken sie an Ihre Adresse und schreiben Ihnen eine E-Mail.',
  'Our Business is Growing': 'Unser Geschäft wächst',
  'Number of Products': 'Produkte',
  'Orders Successfully Completed': 'Erfolgreich abgeschlossene Bestellungen',
  'Satisfactory Feedbacks': 'Positive Rückmeldungen',
  'What our precious customers say?': 'Was unsere geschätzten Kunden sagen',
  'All reviews': 'Alle Bewertungen',
  Name: 'Name',
  Email: 'E-Mail',
  Message: 'Nachricht',
  'Leave this empty': 'Bitte leer lassen',
  'Send me a copy of this message': 'Kopie dieser Nachricht an mich senden',
  Send: 'Senden',
  'Technical support': 'Technische Hilfe',
  'Sales questions': 'Fragen zum Kauf',
  'Order Questions': 'Fragen zur Bestellung',
  'Bug report': 'Fehler melden',
  'Thank you. Your message is on its way to us.': 'Vielen Dank. Ihre Nachricht ist auf dem Weg zu uns.',

  // List of instruments
  'All instruments': 'Alle Instrumente',
  'Every instrument and case on sale, with price, stock and minimum order.':
    'Alle Instrumente und Koffer im Sortiment, mit Preis, Bestand und Mindestmenge.',
  'Only “{words}”': 'Nur „{words}“',
  'above {price}': 'über {price}',
  'below {price}': 'unter {price}',
  'not in {family}': 'nicht in {family}',
  'not only {value}': 'nicht nur {value}',
  'not in stock': 'nicht auf Lager',
  'without these limits': 'ohne diese Einschränkungen',
  'No results for “{q}”. Showing results for “{corrected}”.':
    'Keine Treffer für „{q}“. Hier sind die Treffer für „{corrected}“.',
  'Nothing for {words}. These are our matches for “{q}”.': 'Nichts zu {words}. Hier sind die Treffer für „{q}“.',
  'The catalog in one file': 'Der Katalog in einer Datei (auf Englisch)',
  'up to {price}': 'bis {price}',
  'in stock': 'auf Lager',
  '{count} match for “{q}”': '{count} Treffer für „{q}“',
  '{count} matches for “{q}”': '{count} Treffer für „{q}“',
  '{count} on sale': '{count} im Sortiment',
  '{count} on sale, priced per piece': '{count} im Sortiment, Preise pro Stück',
  'Best match': 'Beste Treffer',
  Featured: 'Empfohlen',
  Price: 'Preis',
  Newest: 'Neueste',
  All: 'Alle',
  'Filter and sort': 'Filtern und sortieren',
  Family: 'Familie',
  Level: 'Niveau',
  Beginner: 'Einsteiger',
  Intermediate: 'Fortgeschrittene',
  Professional: 'Profis',
  'For ages': 'Alter',
  'For about {from} to {to} years': 'Für etwa {from} bis {to} Jahre',
  'From about {from} years': 'Ab etwa {from} Jahren',
  'Price from': 'Preis ab',
  'Price up to': 'Preis bis',
  'At any price': 'Zu jedem Preis',
  'In dollars, like 1,450.00': 'In Dollar, mit Punkt vor den Cent, zum Beispiel 1450.00',
  'Sort by': 'Sortieren nach',
  'In stock': 'Auf Lager',
  'SL. No': 'Nr.',
  'Available Quantity': 'Verfügbare Menge',
  Available: 'Verfügbar',
  'Minimum Order': 'Mindestmenge',
  Minimum: 'Mindestmenge',
  Purchase: 'Kaufen',
  PURCHASE: 'KAUFEN',
  'By {brand}': 'Von {brand}',
  'Nothing on this page': 'Auf dieser Seite ist nichts',
  'First page': 'Erste Seite',
  'The list has become shorter.': 'Die Liste ist kürzer geworden.',
  'Please come back soon, or write to us.': 'Schauen Sie bald wieder vorbei, oder schreiben Sie uns.',
  Instead: 'Stattdessen',
  'We do not sell {things}.': 'Wir verkaufen keine {things}.',
  'These are hard cases.': 'Dies sind feste Koffer.',
  'What we have for “{q}”:': 'Das haben wir zu „{q}“:',
  Compare: 'Vergleichen',
  'Compare ticked instruments': 'Angekreuzte Instrumente vergleichen',
  'Compare with': 'Vergleichen mit',
  'Nothing to compare': 'Nichts zu vergleichen',
  'Tick two to four instruments in the list.': 'Kreuzen Sie in der Liste zwei bis vier Instrumente an.',
  '{count} of {all} rows differ, in bold.': '{count} von {all} Zeilen unterscheiden sich, fett.',
  'These are the first {count}: more do not fit beside each other.':
    'Dies sind die ersten {count}: Mehr passen nicht nebeneinander.',
  Property: 'Eigenschaft',
  '{instruments} and {count} case': '{instruments} und {count} Koffer',
  '{instruments} and {count} cases': '{instruments} und {count} Koffer',
  Stock: 'Bestand',
  'Nothing matches “{q}”': 'Nichts passt zu „{q}“',
  'Nothing fits these limits': 'Nichts passt zu diesen Einschränkungen',
  'We have nothing called {words}.': 'Nichts im Sortiment heißt {words}.',
  'Perhaps one of these, or {link}:': 'Vielleicht eines hiervon, oder {link}:',
  'Try another word, or {link}.': 'Versuchen Sie ein anderes Wort, oder {link}.',
  'ask us': 'fragen Sie uns',
  'More than {most}': 'Mehr als {most}',
  '{count} instrument': '{count} Instrument',
  '{count} instruments': '{count} Instrumente',
  '{count} instrument for “{q}”': '{count} Instrument zu „{q}“',
  '{count} instruments for “{q}”': '{count} Instrumente zu „{q}“',

  // An instrument
  'Fits in this case': 'Passt in diesen Koffer',
  'A case for it': 'Ein Koffer dafür',
  'More {family}': 'Mehr aus {family}',
  'More instruments': 'Weitere Instrumente',
  Breadcrumb: 'Sie sind hier',
  '{price} each': '{price} pro Stück',
  'Many pieces? {link}, with a verified email.': 'Größere Mengen? {link}, mit bestätigter E-Mail-Adresse.',
  'Need one?': 'Sie brauchen nur eines?',
  'Ask us': 'Fragen Sie uns',
  Edit: 'Bearbeiten',
  'Ask for a volume price': 'Mengenpreis anfragen',
  '30-day low before the sale:': 'Niedrigster Preis der letzten 30 Tage vor der Aktion:',
  'Sale price until {day}.': 'Aktionspreis bis {day}.',
  'Lowest price of the 30 days before: {price}.': 'Niedrigster Preis der 30 Tage davor: {price}.',
  'Only {count} left': 'Nur noch {count} auf Lager',
  'Sold out': 'Ausverkauft',
  'Only {count} left, below the minimum order': 'Nur noch {count} auf Lager, weniger als die Mindestmenge',
  Delivery: 'Lieferung',
  '{time}, included in the price': '{time}, im Preis enthalten',
  'Included in the price': 'Im Preis enthalten',
  Returns: 'Rückgabe',
  Pictures: 'Bilder',
  'Picture {number}': 'Bild {number}',
  'Price breaks': 'Staffelpreise',
  'From {count}:': 'Ab {count}:',
  Quantity: 'Menge',
  'Minimum order: {count} piece': 'Mindestmenge: {count} Stück',
  'Minimum order: {count} pieces': 'Mindestmenge: {count} Stück',
  ', {count} available': ', {count} verfügbar',
  Specification: 'Technische Daten',
  'Email me when it is back': 'Benachrichtigen, wenn wieder da',
  '{name}, on sale at {shop}.': '{name}, erhältlich bei {shop}.',

  // Reviews
  Reviews: 'Bewertungen',
  'All reviews of this instrument': 'Alle Bewertungen dieses Instruments',
  'Nobody has written about it yet.': 'Dazu hat noch niemand etwas geschrieben.',
  'Bought it here? Write a review': 'Hier gekauft? Schreiben Sie eine Bewertung',
  '{shop} answers: {reply}': '{shop} antwortet: {reply}',
  'Bought here': 'Hier gekauft',
  '{rating} of 5': '{rating} von 5',
  '{count} review': '{count} Bewertung',
  '{count} reviews': '{count} Bewertungen',
  '{stars} of 5, {count}': '{stars} von 5, {count}',
  '{stars} of 5 by {ratings} of {count}': '{stars} von 5 aus {ratings} von {count}',
  'What our customers say': 'Was unsere Kunden sagen',
  'Every review of the shop and its instruments, newest first.':
    'Alle Bewertungen des Shops und seiner Instrumente, die neuesten zuerst.',
  'About {name}, newest first.': 'Zu {name}, die neuesten zuerst.',
  'Every review, newest first.': 'Alle Bewertungen, die neuesten zuerst.',
  'No reviews yet': 'Noch keine Bewertungen',
  'Add a Review': 'Bewertung schreiben',
  'Ordered from us? Be the first to say how it went.':
    'Haben Sie bei uns bestellt? Sagen Sie als Erste oder Erster, wie es war.',

  // A page of the shopkeeper
  'Last changed {day}': 'Zuletzt geändert am {day}',

  // Times
  '{count} minute': '{count} Minute',
  '{count} minutes': '{count} Minuten',
  '{count} hour': '{count} Stunde',
  '{count} hours': '{count} Stunden',

  // Login, registration, account
  'Log in to order instruments, pay for them and follow your orders.':
    'Melden Sie sich an, um Instrumente zu bestellen, zu bezahlen und Ihre Bestellungen zu verfolgen.',
  'You can log in with Google from now on.': 'Ab jetzt können Sie sich mit Google anmelden.',
  'Your name at Google is the name of this shop. Here you are {name}: change it in My Profile.':
    'Ihr Name bei Google ist der Name dieses Shops. Hier heißen Sie {name}: Ändern Sie das unter Mein Profil.',
  'This link has expired. Log in to get a new one.':
    'Dieser Link ist abgelaufen. Melden Sie sich an, um einen neuen zu bekommen.',
  'You can log in now.': 'Sie können sich jetzt anmelden.',
  'Log in or create an account to continue.': 'Melden Sie sich an oder legen Sie ein Konto an, um fortzufahren.',
  'Forgot password?': 'Passwort vergessen?',
  'Create an account to order handcrafted instruments and cases.':
    'Legen Sie ein Konto an, um handgefertigte Instrumente und Koffer zu bestellen.',
  'User Registered. Please verify your email.': 'Ihr Konto ist angelegt. Bitte bestätigen Sie Ihre E-Mail-Adresse.',
  'Get a link by email to choose a new password.': 'Sie bekommen per E-Mail einen Link für ein neues Passwort.',
  'Password reset email sent': 'E-Mail für ein neues Passwort gesendet',
  'We email you a link to choose a new one. It works once, for 10 minutes.':
    'Wir senden Ihnen einen Link, mit dem Sie ein neues wählen. Er gilt einmal, 10 Minuten lang.',
  'Send the link': 'Link senden',
  'Back to login': 'Zurück zur Anmeldung',
  'Choose a new password': 'Neues Passwort wählen',
  'Choose a new password for your account.': 'Wählen Sie ein neues Passwort für Ihr Konto.',
  'Your password has changed. Log in with the new one.':
    'Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an.',
  'You will have to log in again on all your devices.': 'Sie müssen sich danach auf allen Geräten neu anmelden.',
  'New password': 'Neues Passwort',
  'Change my password': 'Passwort ändern',
  'Ask for a new link': 'Neuen Link anfordern',
  'This link has expired or was already used.': 'Dieser Link ist abgelaufen oder wurde schon benutzt.',
  'Verify your email': 'E-Mail-Adresse bestätigen',
  'Confirm that this email address is yours.': 'Bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört.',
  'Thank you. Your email is verified.': 'Vielen Dank. Ihre E-Mail-Adresse ist bestätigt.',
  'One more step: confirm that this address is yours.':
    'Noch ein Schritt: Bestätigen Sie, dass diese Adresse Ihnen gehört.',
  'Verify my email': 'Meine E-Mail-Adresse bestätigen',
  'Enter your code': 'Code eingeben',
  'That took too long. Please log in again.': 'Das hat zu lange gedauert. Bitte melden Sie sich noch einmal an.',
  'Your authenticator app shows it. A recovery code does as well.':
    'Ihre Authenticator-App zeigt ihn an. Ein Wiederherstellungscode geht auch.',
  Continue: 'Weiter',
  'Log in as somebody else': 'Als jemand anderes anmelden',
  'Confirm it is you': 'Bestätigen Sie, dass Sie es sind',
  'Thank you. You can continue now.': 'Vielen Dank. Sie können jetzt fortfahren.',
  'You logged in more than 15 minutes ago. Enter your password to continue, then press the button again.':
    'Ihre Anmeldung ist mehr als 15 Minuten her. Geben Sie Ihr Passwort ein, um fortzufahren, und drücken Sie dann den Knopf noch einmal.',
  Password: 'Passwort',
  'What you can do with an account': 'Was Sie mit einem Konto tun können',
  'With an account you can': 'Mit einem Konto können Sie',
  'Order instruments and cases': 'Instrumente und Koffer bestellen',
  'Cancel an unpaid order': 'Eine unbezahlte Bestellung stornieren',
  'Write a review': 'Eine Bewertung schreiben',
  '{price} each, minimum order {count}': '{price} pro Stück, Mindestmenge {count}',
  Code: 'Code',
  'Logging in with Google did not work. Please try again.':
    'Die Anmeldung mit Google hat nicht geklappt. Bitte versuchen Sie es noch einmal.',
  'Google is not responding. Nothing has changed. Try again in a minute, or use your password.':
    'Google antwortet nicht. Es hat sich nichts geändert. Versuchen Sie es in einer Minute noch einmal, oder nehmen Sie Ihr Passwort.',
  'You cancelled at Google.': 'Sie haben bei Google abgebrochen.',
  'Google has not verified this email, so you cannot log in with it here.':
    'Google hat diese E-Mail-Adresse nicht bestätigt, deshalb können Sie sich hier nicht mit ihr anmelden.',
  'This email already has an account. Log in with its password once, and Google works from then on.':
    'Zu dieser E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich einmal mit dem Passwort an, danach geht es auch mit Google.',
  'We cannot send email to the address of this Google account.':
    'An die Adresse dieses Google-Kontos können wir keine E-Mails senden.',
  'Continue with Google': 'Weiter mit Google',
  'Sign in with a passkey': 'Mit einem Passkey anmelden',
  '6 characters or longer': 'Mindestens 6 Zeichen',
  Show: 'Anzeigen',
  Hide: 'Verbergen',
  'Login or register': 'Anmelden oder registrieren',
  'I have an account': 'Ich habe ein Konto',
  'Log in': 'Anmelden',
  'I am new': 'Ich bin neu hier',
  'Create an account': 'Konto anlegen',
  'New here? Create an account': 'Neu hier? Konto anlegen',
  'You were logged out. Log in, and your form is as you left it.':
    'Sie wurden abgemeldet. Melden Sie sich an, und Ihr Formular ist, wie Sie es verlassen haben.',
  'You were logged out. Log in to continue.': 'Sie wurden abgemeldet. Melden Sie sich an, um fortzufahren.',
  'My Orders': 'Meine Bestellungen',
  'My Profile': 'Mein Profil',
  'My Quotes': 'Preisanfragen',
  'Your orders, your reviews and your profile.': 'Ihre Bestellungen, Ihre Bewertungen und Ihr Profil.',
  'We have sent you the email again.': 'Wir haben Ihnen die E-Mail noch einmal gesendet.',
  'Hello, {name}': 'Guten Tag, {name}',
  'Welcome to your Dashboard': 'Willkommen in Ihrem Konto',
  'Please verify your email: open the link that we sent to {email}.':
    'Bitte bestätigen Sie Ihre E-Mail-Adresse: Öffnen Sie den Link, den wir an {email} gesendet haben.',
  'Send it again': 'Noch einmal senden',
  'Your latest orders': 'Ihre letzten Bestellungen',
  'All my orders': 'Alle meine Bestellungen',
  'What you save here is filled in for you when you order.':
    'Was Sie hier speichern, steht bei Bestellungen schon im Formular.',
  Image: 'Bild',
  'Optional. A link that starts with https://': 'Freiwillig. Ein Link, der mit https:// beginnt',
  Optional: 'Freiwillig',
  'Optional. With the country code, at least 11 characters: +1 212 555 0123':
    'Freiwillig. Mit Landesvorwahl, mindestens 11 Zeichen: +49 30 5550123',
  'Update Profile': 'Profil speichern',
  'Your profile is updated': 'Ihr Profil ist gespeichert',
  'Security and data': 'Sicherheit und Daten',
  'Where you are logged in': 'Wo Sie angemeldet sind',
  'Second factor': 'Zweiter Faktor',
  'Back-in-stock emails': 'Benachrichtigungen, wenn etwas wieder da ist',
  'My data, and closing the account': 'Meine Daten und Konto schließen',
  'You get no email about it.': 'Sie bekommen dazu keine E-Mail mehr.',
  'We will email you once, when {name} is back.': 'Wir schreiben Ihnen einmal, sobald es wieder da ist: {name}.',
  '{name} is back already. You can order it now.': 'Schon wieder da: {name}. Sie können jetzt bestellen.',
  'We email you once when an instrument has its minimum order in stock again.':
    'Wir schreiben Ihnen einmal, wenn von einem Instrument wieder die Mindestmenge auf Lager ist.',
  'You wait for no instrument': 'Sie warten auf kein Instrument',
  'The page of an instrument that is sold out has a button for such an email.':
    'Auf der Seite eines ausverkauften Instruments gibt es einen Knopf für eine solche E-Mail.',
  'Yes, email me once': 'Ja, bitte einmal benachrichtigen',
  'Instruments that you wait for': 'Instrumente, auf die Sie warten',
  Asked: 'Angefragt',
  Availability: 'Verfügbarkeit',
  'Not on sale at the moment': 'Zurzeit nicht erhältlich',
  'Do not email me': 'Nicht benachrichtigen',

  // Purchase
  'Not on sale': 'Nicht erhältlich',
  'Order a handcrafted instrument from {shop}.': 'Bestellen Sie ein handgefertigtes Instrument bei {shop}.',
  'New order added. Please complete payment!': 'Ihre Bestellung ist aufgenommen. Bitte zahlen Sie jetzt!',
  'You already placed this order. It was not placed twice.':
    'Diese Bestellung haben Sie schon aufgegeben. Sie wurde nicht noch einmal angelegt.',
  '{stock}. You cannot order it right now.': '{stock}. Sie können es gerade nicht bestellen.',
  'More may come when we restock or an unpaid order is cancelled.':
    'Vielleicht kommt mehr herein, wenn wir nachbestellen oder eine unbezahlte Bestellung storniert wird.',
  'Order quantity': 'Bestellmenge',
  'must be atleast {count}': 'mindestens {count}',
  'One less': 'Eins weniger',
  'One more': 'Eins mehr',
  Address: 'Adresse',
  Phone: 'Telefon',
  'With the country code, at least 11 characters: +1 212 555 0123':
    'Mit Landesvorwahl, mindestens 11 Zeichen: +49 30 5550123',
  'For a company (optional)': 'Für eine Firma (freiwillig)',
  'VAT number': 'Umsatzsteuer-Identifikationsnummer',
  'Purchase order number': 'Ihre Bestellnummer',
  'All three appear on the invoice.': 'Alle drei Angaben stehen auf der Rechnung.',
  Total: 'Gesamt',
  'Total for {count}': 'Gesamt für {count}',
  'from {price}': 'ab {price}',
  'Order Now': 'Zahlungspflichtig bestellen',
  'Discount code (optional)': 'Rabattcode (freiwillig)',
  'Discount code': 'Rabattcode',
  '{code}: {words}. A volume or sale price counts where it is lower.':
    '{code}: {words}. Ein Mengen- oder Aktionspreis gilt, wo er niedriger ist.',
  'It is taken off when you order: you see the price before you pay.':
    'Er wird bei der Bestellung abgezogen: Sie sehen den Preis, bevor Sie zahlen.',
  '{percent}% off': '{percent} % Rabatt',
  '{price} off each piece': '{price} Rabatt pro Stück',
  '{off} from {price}': '{off} ab {price}',
  'It had {count} piece.': 'Damals war es {count} Stück.',
  'It had {count} pieces.': 'Damals waren es {count} Stück.',
  'Filled in from your order {order}, at today’s price.':
    'Ausgefüllt nach Ihrer Bestellung {order}, zum heutigen Preis.',
  'Choose another quantity.': 'Wählen Sie eine andere Menge.',
  'The minimum order is {count} today.': 'Die Mindestmenge ist heute {count}.',
  '{shortage} today.': 'Heute: {shortage}.',
  'We reserve your pieces until you pay or cancel.': 'Wir reservieren Ihre Stücke, bis Sie zahlen oder stornieren.',
  'We reserve your pieces for {time}, and cancel the order if it is not paid by then.':
    'Wir reservieren Ihre Stücke {time} lang und stornieren die Bestellung, wenn sie bis dahin nicht bezahlt ist.',
  'Delivery takes {time}, and is included in the price.': 'Lieferzeit: {time}. Die Lieferung ist im Preis enthalten.',
  'Delivery is included in the price.': 'Die Lieferung ist im Preis enthalten.',
  'Returns: {returns}.': 'Rückgabe: {returns}.',
  'Your order {order} is not paid yet.': 'Ihre Bestellung {order} ist noch nicht bezahlt.',
  'Pay it': 'Jetzt bezahlen',
  'You have {count} unpaid orders.': 'Sie haben {count} unbezahlte Bestellungen.',
  'Replace my unpaid order of {count} piece': 'Meine unbezahlte Bestellung über {count} Stück ersetzen',
  'Replace my unpaid order of {count} pieces': 'Meine unbezahlte Bestellung über {count} Stück ersetzen',
  'and {count} more': 'und {count} weitere',
  'Replace my {orders} unpaid orders of {count} pieces in all: {numbers}':
    'Meine {orders} unbezahlten Bestellungen über zusammen {count} Stück ersetzen: {numbers}',
  'Your order is not sent yet, or its answer was lost. This page sends it when the shop can be reached; it is placed once.':
    'Ihre Bestellung ist noch nicht gesendet, oder die Antwort ging verloren. Diese Seite sendet sie, sobald der Shop erreichbar ist; sie wird nur einmal angelegt.',
  'One order is not sent yet.': 'Eine Bestellung ist noch nicht gesendet.',
  'Send now': 'Jetzt senden',
  Discard: 'Verwerfen',
  'Could not reach the shop. Try again': 'Der Shop war nicht zu erreichen. Versuchen Sie es noch einmal',

  // Payment
  'Payment of {order}': 'Zahlung für {order}',
  'Stripe is not responding, so we cannot tell yet whether you have paid. Reload this page in a minute.':
    'Stripe antwortet nicht, deshalb wissen wir noch nicht, ob Sie gezahlt haben. Laden Sie diese Seite in einer Minute neu.',
  'Your bank did not confirm the payment, and nothing was charged. Try again, or use another card.':
    'Ihre Bank hat die Zahlung nicht bestätigt, und es wurde nichts abgebucht. Versuchen Sie es noch einmal, oder nehmen Sie eine andere Karte.',
  'Back to the order': 'Zurück zur Bestellung',
  'You ordered {count} pieces of {product}. Please pay: {total}':
    'Sie haben {count} Stück bestellt: {product}. Bitte zahlen Sie: {total}',
  '{price} off with code {code}.': '{price} Rabatt mit dem Code {code}.',
  'Order {order} ships to: {name}, {address}': 'Bestellung {order} geht an: {name}, {address}',
  'Card details go straight to Stripe. We never see them.':
    'Ihre Kartendaten gehen direkt an Stripe. Wir sehen sie nie.',
  'Pay on the secure page': 'Auf der sicheren Seite zahlen',
  'Order {order}': 'Bestellung {order}',
  'You ordered {count} pieces of {product}.': 'Sie haben {count} Stück bestellt: {product}.',
  Cancelled: 'Storniert',
  'This order was cancelled before your payment arrived. We refund the payment to your card.':
    'Diese Bestellung wurde storniert, bevor Ihre Zahlung ankam. Wir erstatten den Betrag auf Ihre Karte.',
  'View the order': 'Bestellung ansehen',
  'Back to My Orders': 'Zurück zu meinen Bestellungen',
  'Your payment is successful!': 'Ihre Zahlung war erfolgreich!',
  'Thank you for your order.': 'Vielen Dank für Ihre Bestellung.',
  'Expected {days}.': 'Erwartet: {days}.',
  'Transaction id': 'Transaktionsnummer',
  'We email your receipt to {email}.': 'Wir senden die Quittung an {email}.',
  Pay: 'Bezahlen',
  'Loading the card form…': 'Das Kartenformular wird geladen …',
  'This payment was cancelled, and nothing was charged. Reload this page to try again.':
    'Diese Zahlung wurde abgebrochen, und es wurde nichts abgebucht. Laden Sie diese Seite neu, um es noch einmal zu versuchen.',
  'Your bank has not answered yet. Check My Orders in a few minutes.':
    'Ihre Bank hat noch nicht geantwortet. Sehen Sie in ein paar Minuten unter „Meine Bestellungen“ nach.',
  'Paying…': 'Zahlung läuft …',
  'The card form did not load.': 'Das Kartenformular wurde nicht geladen.',

  // Orders
  'Order Cancelled!': 'Bestellung storniert!',
  'Instrument Name': 'Instrument',
  'Ship to {address}': 'Lieferung an {address}',
  'Order Quantity': 'Bestellmenge',
  Action: 'Aktion',
  Paid: 'Bezahlt',
  Shipped: 'Versandt',
  Unpaid: 'Unbezahlt',
  'Track the parcel': 'Paket verfolgen',
  Cancel: 'Stornieren',
  'What happened': 'Was bisher geschah',
  Receipt: 'Quittung',
  'Your receipt is on its way to {email}.': 'Ihre Quittung ist auf dem Weg an {email}.',
  'Paid by card, and refunded in full.': 'Mit Karte bezahlt und vollständig erstattet.',
  'Paid by card. Thank you for your order.': 'Mit Karte bezahlt. Vielen Dank für Ihre Bestellung.',
  'Print this page for your records. Only the receipt is printed.':
    'Drucken Sie diese Seite für Ihre Unterlagen. Gedruckt wird nur die Quittung.',
  'Reserved until {time}': 'Reserviert bis {time}',
  'No longer reserved since {time}': 'Nicht mehr reserviert seit {time}',
  'The invoice will be here in a few minutes.': 'Die Rechnung steht in ein paar Minuten hier.',
  'No invoice: this order was paid before we issued them.':
    'Keine Rechnung: Diese Bestellung wurde bezahlt, bevor wir Rechnungen ausgestellt haben.',
  'Invoice {number}': 'Rechnung {number}',
  'Credit note {number}': 'Gutschrift {number}',
  'Reversal {number}': 'Storno {number}',
  'Delivery takes {time}.': 'Lieferzeit: {time}.',
  'We have refunded {sum} to your card. Banks take 5 to 10 days to show it.':
    'Wir haben {sum} auf Ihre Karte erstattet. Es dauert 5 bis 10 Tage, bis Ihre Bank das anzeigt.',
  'You paid on {day}. We pack your order and send it to your address.':
    'Sie haben am {day} gezahlt. Wir packen Ihre Bestellung und schicken sie an Ihre Adresse.',
  'Your bank has asked us about this payment. We continue when it is settled.':
    'Ihre Bank hat uns zu dieser Zahlung befragt. Wir machen weiter, sobald das geklärt ist.',
  'Your bank has given this payment back to you.': 'Ihre Bank hat Ihnen diese Zahlung zurückgegeben.',
  'We email {email} when we ship it.': 'Wenn wir sie versenden, schreiben wir an {email}.',
  'Your pieces are reserved until you pay or cancel.': 'Ihre Stücke sind reserviert, bis Sie zahlen oder stornieren.',
  'Pay by {time}. Then we cancel the order, and nothing is charged.':
    'Bitte zahlen Sie bis {time}. Danach stornieren wir die Bestellung, und es wird nichts abgebucht.',
  'Your pieces are no longer reserved: pay soon, or somebody else may get them.':
    'Ihre Stücke sind nicht mehr reserviert: Zahlen Sie bald, sonst bekommt sie vielleicht jemand anderes.',
  'We shipped your order on {day}: {parcel}.': 'Wir haben Ihre Bestellung am {day} versandt: {parcel}.',
  'We shipped your order on {day}.': 'Wir haben Ihre Bestellung am {day} versandt.',
  'No orders yet': 'Noch keine Bestellungen',
  'Your orders will appear here.': 'Hier erscheinen Ihre Bestellungen.',
  '{product} is not on sale any more.': '{product} ist nicht mehr erhältlich.',
  '{shortage} today, so you cannot order as much again.':
    'Heute: {shortage}. So viel können Sie deshalb nicht noch einmal bestellen.',
  'View the instrument': 'Instrument ansehen',
  'Order Again': 'Noch einmal bestellen',
  'Send the receipt again': 'Quittung noch einmal senden',
  Refunded: 'Erstattet',
  'Refund: {sum}': 'Erstattung: {sum}',
  'What happens next': 'Wie es weitergeht',
  Order: 'Bestellung',
  Ordered: 'Bestellt',
  Instrument: 'Instrument',
  'Price each': 'Stückpreis',
  Discount: 'Rabatt',
  '{price} off with code {code}, in the price': '{price} mit dem Code {code}, im Preis enthalten',
  'Total refund': 'Erstattet insgesamt',
  Carrier: 'Versender',
  'Tracking number': 'Sendungsnummer',
  'Tracking link': 'Sendungsverfolgung',
  'Purchase order': 'Ihre Bestellnummer',
  'Ship to': 'Lieferung an',
  'You placed the order.': 'Sie haben bestellt.',
  'You paid {sum} by card.': 'Sie haben {sum} mit Karte bezahlt.',
  'Your order is on its way to you.': 'Ihre Bestellung ist auf dem Weg zu Ihnen.',
  'We corrected the tracking details.': 'Wir haben die Angaben zur Sendung berichtigt.',
  'Your bank returned the refund of {sum}. We will pay it back another way.':
    'Ihre Bank hat die Erstattung von {sum} zurückgegeben. Wir zahlen sie Ihnen auf anderem Weg.',
  'We are refunding {sum} to your card.': 'Wir erstatten {sum} auf Ihre Karte.',
  'Reason: {reason}': 'Grund: {reason}',
  'You cancelled this order.': 'Sie haben diese Bestellung storniert.',
  'Your order was not paid in time, so we have cancelled it.':
    'Ihre Bestellung wurde nicht rechtzeitig bezahlt, deshalb haben wir sie storniert.',
  'We have cancelled your order.': 'Wir haben Ihre Bestellung storniert.',
  'Nothing was charged.': 'Es wurde nichts abgebucht.',
  'was already cancelled': 'schon storniert war',
  'it does not match': 'nicht zu ihr passt',
  'was already paid': 'schon bezahlt war',
  'We received a payment of {sum} for an order that {why}. We have refunded all of it to your card. Banks take 5 to 10 days to show it.':
    'Wir haben eine Zahlung von {sum} für eine Bestellung erhalten, die {why}. Wir haben alles auf Ihre Karte erstattet. Es dauert 5 bis 10 Tage, bis Ihre Bank das anzeigt.',
  'We have refunded {sum} of your order to your card. Banks take 5 to 10 days to show it.':
    'Wir haben {sum} Ihrer Bestellung auf Ihre Karte erstattet. Es dauert 5 bis 10 Tage, bis Ihre Bank das anzeigt.',

  // A review of one's own
  'Thank you for your time and feedback!': 'Vielen Dank für Ihre Zeit und Ihre Rückmeldung!',
  'The shop': 'Der Shop',
  'No stars': 'Keine Sterne',
  'How was it? Your review appears among all reviews, with your name; the newest six are on the home page.':
    'Wie war es? Ihre Bewertung erscheint mit Ihrem Namen unter allen Bewertungen; die neuesten sechs stehen auf der Startseite.',
  'How was it? Your review appears among all reviews, with your name.':
    'Wie war es? Ihre Bewertung erscheint mit Ihrem Namen unter allen Bewertungen.',
  Review: 'Bewertung',
  'At most 1000 characters': 'Höchstens 1000 Zeichen',
  About: 'Worüber',
  'Instruments stand here once you have paid for them and not reviewed them yet.':
    'Instrumente stehen hier, sobald Sie sie bezahlt und noch nicht bewertet haben.',
  Stars: 'Sterne',
  Submit: 'Absenden',
  'Your reviews appear on the home page, among the newest six, once your email is verified or you have paid for an order.':
    'Ihre Bewertungen erscheinen auf der Startseite unter den neuesten sechs, sobald Ihre E-Mail-Adresse bestätigt ist oder Sie eine Bestellung bezahlt haben.',
  'The shop has hidden your review of {day}.': 'Der Shop hat Ihre Bewertung vom {day} ausgeblendet.',
  'Your review of {day} is on the home page and among {link}.':
    'Ihre Bewertung vom {day} steht auf der Startseite und unter {link}.',
  'Your review of {day} is among {link}.': 'Ihre Bewertung vom {day} steht unter {link}.',
  'all reviews': 'allen Bewertungen',
  'The home page has six newer ones.': 'Auf der Startseite stehen sechs neuere.',

  // Price requests
  'No quotes yet': 'Noch keine Preisanfragen',
  'Do you need more than a few pieces? The page of each instrument has a link to ask for a price.':
    'Brauchen Sie mehr als ein paar Stück? Auf der Seite jedes Instruments gibt es einen Link, um einen Preis anzufragen.',
  'We have your request. You get an email when we answer.':
    'Ihre Anfrage ist da. Sie bekommen eine E-Mail, wenn wir antworten.',
  '{instrument}, {price} each today.': '{instrument}, heute {price} pro Stück.',
  'Minimum order {min}. {count} in stock now; you may ask for more.':
    'Mindestmenge {min}. Zurzeit sind {count} auf Lager; Sie können auch mehr anfragen.',
  'Optional. When do you need them, and what for? At most 1000 characters':
    'Freiwillig. Wann brauchen Sie sie, und wofür? Höchstens 1000 Zeichen',
  'Quote: {name}': 'Preisanfrage: {name}',
  'You accepted this offer before. This is its order.':
    'Dieses Angebot haben Sie schon angenommen. Hier ist die Bestellung dazu.',
  'You asked for': 'Angefragte Menge',
  'Your message': 'Ihre Nachricht',
  'Unit price': 'Stückpreis',
  'Valid until': 'Gültig bis',
  'Our words': 'Unsere Antwort',
  'Back to My Quotes': 'Zurück zu den Preisanfragen',
  'We answer by email, and here.': 'Wir antworten per E-Mail, und hier.',
  'You accepted this offer: {order}.': 'Sie haben dieses Angebot angenommen: {order}.',
  'order {number}': 'Bestellung {number}',
  'That order is cancelled. An offer can be accepted once, so ask again if you still want the pieces.':
    'Diese Bestellung ist storniert. Ein Angebot kann nur einmal angenommen werden: Fragen Sie noch einmal an, wenn Sie die Stücke noch möchten.',
  'Ask for a new price': 'Neuen Preis anfragen',
  'Accept the offer': 'Angebot annehmen',
  'We reserve your pieces until you pay or cancel. {once}':
    'Wir reservieren Ihre Stücke, bis Sie zahlen oder stornieren. {once}',
  'We reserve your pieces for {time}. {once}': 'Wir reservieren Ihre Stücke {time} lang. {once}',
  'An offer can be accepted once: if the order is cancelled, or not paid in time, ask for a new price.':
    'Ein Angebot kann nur einmal angenommen werden: Wird die Bestellung storniert oder nicht rechtzeitig bezahlt, fragen Sie bitte einen neuen Preis an.',
  'Accept: order {count} for {total}': 'Annehmen: {count} Stück für {total} zahlungspflichtig bestellen',
  Accepted: 'Angenommen',
  'Awaiting reply': 'Noch ohne Antwort',
  Declined: 'Abgelehnt',
  Expired: 'Abgelaufen',
  Offer: 'Angebot',
  'until {time}': 'bis {time}',
  'Unit Price': 'Stückpreis',
  Status: 'Stand',

  // Passkeys, browsers, second factor
  'Add a passkey': 'Passkey hinzufügen',
  'From now on you can sign in with this passkey.': 'Ab jetzt können Sie sich mit diesem Passkey anmelden.',
  'It signs you in with your finger, your face or the PIN of this device, without password and code.':
    'Er meldet Sie mit Fingerabdruck, Gesicht oder der PIN dieses Geräts an, ohne Passwort und Code.',
  'This needs JavaScript: only scripts can ask your device for a passkey.':
    'Das geht nur mit JavaScript: Nur Skripte können Ihr Gerät nach einem Passkey fragen.',
  'Such as “Phone” or “Key ring”: you find it under this name':
    'Zum Beispiel „Telefon“ oder „Schlüsselbund“: Unter diesem Namen finden Sie ihn wieder',
  'This device has a passkey for your account already.': 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
  'No passkey was used. Please try again.': 'Es wurde kein Passkey benutzt. Bitte versuchen Sie es noch einmal.',
  'Add passkey': 'Hinzufügen',
  'Please verify your email first.': 'Bitte bestätigen Sie zuerst Ihre E-Mail-Adresse.',
  'This passkey no longer signs in.': 'Mit diesem Passkey kann man sich nicht mehr anmelden.',
  'That browser is signed out.': 'Dieser Browser ist abgemeldet.',
  'You are signed out everywhere else.': 'Sie sind überall sonst abgemeldet.',
  'Do you see a browser that is not yours? Sign out everywhere else, then choose a new password.':
    'Sehen Sie einen Browser, der nicht Ihrer ist? Melden Sie sich überall sonst ab, und wählen Sie dann ein neues Passwort.',
  Browser: 'Browser',
  'Logged in': 'Angemeldet am',
  'Last used': 'Zuletzt benutzt',
  Added: 'Hinzugefügt am',
  Never: 'Nie',
  Remove: 'Entfernen',
  'Sign out everywhere else': 'Überall sonst abmelden',
  Passkeys: 'Passkeys',
  'A passkey signs you in with your finger, your face or a PIN. Remove those of devices that you no longer have.':
    'Ein Passkey meldet Sie mit Fingerabdruck, Gesicht oder PIN an. Entfernen Sie die von Geräten, die Sie nicht mehr haben.',
  'This browser': 'Dieser Browser',
  'Sign out there': 'Dort abmelden',
  'Unknown browser': 'Unbekannter Browser',
  '{browser} on {system}': '{browser} unter {system}',
  'Now scan the code with your app.': 'Scannen Sie jetzt den Code mit Ihrer App.',
  'Your second factor is off.': 'Ihr zweiter Faktor ist ausgeschaltet.',
  'A login then asks for a code of an app on your phone, beside the password.':
    'Die Anmeldung fragt dann außer nach dem Passwort nach einem Code aus einer App auf Ihrem Telefon.',
  'Your account has no password yet. {link}, then come back.':
    'Ihr Konto hat noch kein Passwort. {link}, und kommen Sie dann zurück.',
  'Choose one by a link that we mail you': 'Wählen Sie eines über einen Link, den wir Ihnen senden',
  'It is off. You need an authenticator app, such as Google Authenticator, 1Password or Aegis.':
    'Er ist ausgeschaltet. Sie brauchen eine Authenticator-App wie Google Authenticator, 1Password oder Aegis.',
  'Set up': 'Einrichten',
  'Scan this with your authenticator app, then enter the code that it shows.':
    'Scannen Sie dies mit Ihrer Authenticator-App, und geben Sie dann den Code ein, den sie anzeigt.',
  'Without a camera, {link} on this device, or type this secret into it: {secret}':
    'Ohne Kamera: {link} auf diesem Gerät, oder tippen Sie dort dieses Geheimnis ein: {secret}',
  'open your app': 'Öffnen Sie Ihre App',
  'Switch on': 'Einschalten',
  'For your app to scan': 'Zum Scannen mit Ihrer App',
  'It is on since {day}.': 'Er ist seit dem {day} eingeschaltet.',
  'Of your app, or a recovery code': 'Aus Ihrer App, oder ein Wiederherstellungscode',
  'New recovery codes': 'Neue Wiederherstellungscodes',
  'Switch off': 'Ausschalten',
  'You have no recovery code left: make new ones.': 'Sie haben keinen Wiederherstellungscode mehr: Erzeugen Sie neue.',
  'You have one recovery code left.': 'Sie haben noch einen Wiederherstellungscode.',
  'You have {count} recovery codes left.': 'Sie haben noch {count} Wiederherstellungscodes.',
  'Your recovery codes': 'Ihre Wiederherstellungscodes',
  'Each replaces a code of your app once, when your phone is not there. Print this page or write them down: no page shows them again.':
    'Jeder ersetzt einmal einen Code Ihrer App, wenn Ihr Telefon nicht da ist. Drucken Sie diese Seite aus oder schreiben Sie sie auf: Keine Seite zeigt sie noch einmal.',
  'I have them': 'Ich habe sie',

  // My data, closing the account
  'My data': 'Meine Daten',
  'All that the shop knows about you, as a file, and how to close your account.':
    'Alles, was der Shop über Sie weiß, als Datei, und wie Sie Ihr Konto schließen.',
  'Your download begins. If it does not, {link}.': 'Ihr Download beginnt. Wenn nicht: {link}.',
  'download the file here': 'Laden Sie die Datei hier herunter',
  'The file has your profile, orders, reviews, messages, price requests, the emails that we sent you or will send when an instrument is back, and where you are logged in. A JSON file.':
    'Die Datei enthält Ihr Profil, Bestellungen, Bewertungen, Nachrichten, Preisanfragen, die E-Mails, die wir Ihnen gesendet haben oder senden, wenn ein Instrument wieder da ist, und wo Sie angemeldet sind. Eine JSON-Datei.',
  'Download my data': 'Meine Daten herunterladen',
  'Before your account is closed, a page says what happens and asks again.':
    'Bevor Ihr Konto geschlossen wird, sagt eine Seite, was geschieht, und fragt noch einmal.',
  'Close my account': 'Mein Konto schließen',
  'Your account has no password. Log in with Google again, or {link}.':
    'Ihr Konto hat kein Passwort. Melden Sie sich noch einmal mit Google an, oder {link}.',
  'choose a password by a link that we mail you': 'wählen Sie ein Passwort über einen Link, den wir Ihnen senden',
  'Back to My Profile': 'Zurück zu meinem Profil',
  'Press one of the two buttons': 'Drücken Sie einen der beiden Knöpfe',
  'Your account is closed. We have sent you an email about it.':
    'Ihr Konto ist geschlossen. Wir haben Ihnen eine E-Mail dazu gesendet.',
  'Close my account?': 'Mein Konto schließen?',
  'Nobody can undo this, not even the shop.': 'Das kann niemand rückgängig machen, auch der Shop nicht.',
  'You are the only admin of the shop. Make somebody else an admin first.':
    'Nur Sie verwalten den Shop. Geben Sie zuerst jemand anderem dieses Recht.',
  'Delete my review too': 'Auch meine Bewertung löschen',
  'Delete my {count} reviews too': 'Auch meine {count} Bewertungen löschen',
  'Keep my account': 'Mein Konto behalten',
  '1 unpaid order is cancelled. A payment that still arrives goes back to the card.':
    '1 unbezahlte Bestellung wird storniert. Eine Zahlung, die noch ankommt, geht zurück auf die Karte.',
  '{count} unpaid orders are cancelled. A payment that still arrives goes back to the card.':
    '{count} unbezahlte Bestellungen werden storniert. Eine Zahlung, die noch ankommt, geht zurück auf die Karte.',
  'We still send 1 paid order to the address that it has.':
    '1 bezahlte Bestellung senden wir noch an die Adresse, die dort steht.',
  'We still send {count} paid orders to the address that they have.':
    '{count} bezahlte Bestellungen senden wir noch an die Adressen, die dort stehen.',
  'The law wants our books: 1 paid order keeps your name, email, address and phone for {years} whole years after the year of the payment. Then we remove them. Until then, emails about a parcel or a refund go to {email}.':
    'Das Gesetz verlangt unsere Bücher: 1 bezahlte Bestellung behält Ihren Namen, E-Mail-Adresse, Anschrift und Telefonnummer noch {years} volle Jahre nach dem Jahr der Zahlung. Dann entfernen wir sie. Bis dahin gehen E-Mails zu einem Paket oder einer Erstattung an {email}.',
  'The law wants our books: {count} paid orders keep your name, email, address and phone for {years} whole years after the year of the payment. Then we remove them. Until then, emails about a parcel or a refund go to {email}.':
    'Das Gesetz verlangt unsere Bücher: {count} bezahlte Bestellungen behalten Ihren Namen, E-Mail-Adresse, Anschrift und Telefonnummer noch {years} volle Jahre nach dem Jahr der Zahlung. Dann entfernen wir sie. Bis dahin gehen E-Mails zu einem Paket oder einer Erstattung an {email}.',
  'Your profile, your messages, price requests without an order, back-in-stock emails, your password and every way to log in are deleted. You are logged out everywhere.':
    'Ihr Profil, Ihre Nachrichten, Preisanfragen ohne Bestellung, Benachrichtigungen, Ihr Passwort und jeder Weg, sich anzumelden, werden gelöscht. Sie werden überall abgemeldet.',
  'Your reviews stay, under the name “Closed account”, unless you delete them with this form.':
    'Ihre Bewertungen bleiben unter dem Namen „Closed account“, wenn Sie sie nicht mit diesem Formular löschen.',
  'You can register anew with {email}. The new account sees nothing of this one: download your data first if you need it.':
    'Sie können sich mit {email} neu registrieren. Das neue Konto sieht nichts von diesem: Laden Sie Ihre Daten vorher herunter, wenn Sie sie brauchen.',
  'We send a last email to {email}.': 'Wir senden eine letzte E-Mail an {email}.',

  // Invoices
  Invoice: 'Rechnung',
  'View the invoice': 'Rechnung ansehen',
  'Issued on {day}. Paid by card.': 'Ausgestellt am {day}. Mit Karte bezahlt.',
  'Issued on {day}. Refunded to the card.': 'Ausgestellt am {day}. Auf die Karte erstattet.',
  'Issued on {day}. It takes back the credit note {number}: the bank returned the refund.':
    'Ausgestellt am {day}. Nimmt die Gutschrift {number} zurück: Die Bank hat die Erstattung zurückgegeben.',
  Corrects: 'Berichtigt',
  '{invoice} of {day}': '{invoice} vom {day}',
  Reason: 'Grund',
  Seller: 'Verkäufer',
  Buyer: 'Käufer',
  Net: 'Netto',
  'VAT {percent} %': 'USt. {percent}\u00a0%',
  'VAT number {number}': 'USt-IdNr. {number}',
  'Print this page for your books. Only the sheet is printed.':
    'Drucken Sie diese Seite für Ihre Unterlagen. Gedruckt wird nur das Blatt.',

  // Emails: their words stand in app/store/email/words.server.ts
  'If it was not you, ignore this email.': 'Wenn Sie das nicht waren, beachten Sie diese E-Mail nicht.',
  'You get this email because this address was registered in our shop.':
    'Sie bekommen diese E-Mail, weil diese Adresse in unserem Shop registriert wurde.',
  'Hello,': 'Guten Tag,',
  'Hello {name},': 'Guten Tag {name},',
  'You get this email because a new password was requested for this address.':
    'Sie bekommen diese E-Mail, weil für diese Adresse ein neues Passwort angefordert wurde.',
  'Your password stays the same.': 'Ihr Passwort bleibt dann, wie es ist.',
  'You get this email because logging in to your account failed many times.':
    'Sie bekommen diese E-Mail, weil die Anmeldung bei Ihrem Konto viele Male fehlgeschlagen ist.',
  'You get this email because your account in our shop has changed.':
    'Sie bekommen diese E-Mail, weil sich Ihr Konto in unserem Shop geändert hat.',
  'You get this email because your account in our shop has a second factor. It comes once a day at most.':
    'Sie bekommen diese E-Mail, weil Ihr Konto in unserem Shop einen zweiten Faktor hat. Sie kommt höchstens einmal am Tag.',
  'You get this email because a copy was requested with our contact form.':
    'Sie bekommen diese E-Mail, weil über unser Kontaktformular eine Kopie gewünscht wurde.',
  'Other instruments': 'Andere Instrumente',
  'You get this one email because you asked for it in our shop.':
    'Sie bekommen diese eine E-Mail, weil Sie in unserem Shop darum gebeten haben.',
  'Other purchases': 'Andere Käufe',
  'You get this one email because you bought this instrument in our shop.':
    'Sie bekommen diese eine E-Mail, weil Sie dieses Instrument in unserem Shop gekauft haben.',
  'Send me no such emails': 'Keine solchen E-Mails mehr senden',
  'You get this email because an order in our shop has this address.':
    'Sie bekommen diese E-Mail, weil bei einer Bestellung in unserem Shop diese Adresse angegeben ist.',
  'you pay or cancel': 'Sie zahlen oder stornieren',
  'Your password has changed': 'Ihr Passwort wurde geändert',
  'A passkey was added': 'Ein Passkey wurde hinzugefügt',
  'The passkey “{name}” can now log in to your {shop} account. A new password ends all passkeys.':
    'Mit dem Passkey „{name}“ kann man sich jetzt bei Ihrem Konto bei {shop} anmelden. Ein neues Passwort beendet alle Passkeys.',
  'A passkey was removed': 'Ein Passkey wurde entfernt',
  'A passkey was removed from your {shop} account. It can no longer log in.':
    'Ein Passkey wurde aus Ihrem Konto bei {shop} entfernt. Mit ihm kann man sich nicht mehr anmelden.',
  'Your second factor is on': 'Ihr zweiter Faktor ist eingeschaltet',
  'Your second factor is off': 'Ihr zweiter Faktor ist ausgeschaltet',
  'From now on, a login to your account at {shop} asks for a code of your authenticator app.':
    'Ab jetzt fragt die Anmeldung bei Ihrem Konto bei {shop} nach einem Code Ihrer Authenticator-App.',
  'From now on, a login to your account at {shop} asks for no code of an authenticator app any more.':
    'Ab jetzt fragt die Anmeldung bei Ihrem Konto bei {shop} nach keinem Code einer Authenticator-App mehr.',
  'You get this email because the account of this address in our shop was closed.':
    'Sie bekommen diese E-Mail, weil das Konto dieser Adresse in unserem Shop geschlossen wurde.',
  'The password of your {shop} account was changed with a link that we sent to this address.':
    'Das Passwort Ihres Kontos bei {shop} wurde mit einem Link geändert, den wir an diese Adresse gesendet haben.',

  // Rules and refusals of the store, which `submit` translates
  '{problem} Please wait {time} and try again.':
    '{problem} Bitte warten Sie {time} und versuchen Sie es dann noch einmal.',
  '{label} must be at most {max} characters': '{label}: höchstens {max} Zeichen',
  '{label} contains characters that are not allowed': '{label}: enthält unzulässige Zeichen',
  '{label} must be text': '{label}: muss ein Text sein',
  'Name is Required': 'Bitte geben Sie einen Namen ein',
  'Email is Required': 'Bitte geben Sie eine E-Mail-Adresse ein',
  'Message is Required': 'Bitte schreiben Sie eine Nachricht',
  'Address is Required': 'Bitte geben Sie eine Adresse ein',
  'Phone is Required': 'Bitte geben Sie eine Telefonnummer ein',
  'Phone must be 11 digits': 'Die Telefonnummer muss 11 Ziffern haben',
  'Password is Required': 'Bitte geben Sie ein Passwort ein',
  'Review is Required': 'Bitte schreiben Sie eine Bewertung',
  'Code is Required': 'Bitte geben Sie den Code ein',
  'This code is too long': 'Dieser Code ist zu lang',
  'Image must start with https:// or /': 'Das Bild muss mit https:// oder / beginnen',
  'Provide a valid Email': 'Geben Sie eine gültige E-Mail-Adresse ein',
  'Enter valid email address': 'Geben Sie eine gültige E-Mail-Adresse ein',
  'Must be 6 characters or longer': 'Mindestens 6 Zeichen',
  'Must be at most 1000 characters': 'Höchstens 1000 Zeichen',
  'This password is too common.': 'Dieses Passwort wird zu oft verwendet.',
  'This name belongs to the shop': 'Dieser Name gehört dem Shop',
  'Email cannot be changed': 'Die E-Mail-Adresse kann nicht geändert werden',
  'This link is incomplete.': 'Dieser Link ist unvollständig.',
  'This link has expired or was already used. Ask for a new one.':
    'Dieser Link ist abgelaufen oder wurde schon benutzt. Fordern Sie einen neuen an.',
  'This link has expired, was already used, or was sent to another address.':
    'Dieser Link ist abgelaufen, wurde schon benutzt oder ging an eine andere Adresse.',
  'This form has expired. Please send it again.': 'Dieses Formular ist abgelaufen. Bitte senden Sie es noch einmal ab.',
  'This form was used before. Send it again.': 'Dieses Formular wurde schon benutzt. Senden Sie es noch einmal ab.',
  'This was already used.': 'Das wurde schon benutzt.',
  'Wrong email or password.': 'E-Mail-Adresse oder Passwort ist falsch.',
  'This email already has an account. Log in instead.':
    'Zu dieser E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich an.',
  'This email already has an account.': 'Zu dieser E-Mail-Adresse gibt es schon ein Konto.',
  'Too many wrong passwords for this account. If it is yours, open the link in the email that we sent you, then log in again.':
    'Zu viele falsche Passwörter für dieses Konto. Wenn es Ihres ist, öffnen Sie den Link in der E-Mail, die wir Ihnen gesendet haben, und melden Sie sich dann noch einmal an.',
  'This passkey did not work here. Log in another way, or try again.':
    'Dieser Passkey hat hier nicht funktioniert. Melden Sie sich anders an, oder versuchen Sie es noch einmal.',
  'That took too long. Please try again.': 'Das hat zu lange gedauert. Bitte versuchen Sie es noch einmal.',
  'Please log in again.': 'Bitte melden Sie sich noch einmal an.',
  'Please begin again.': 'Bitte beginnen Sie von vorn.',
  'Order quantity is Required': 'Bitte geben Sie eine Bestellmenge ein',
  'Order quantity must be a whole number': 'Die Bestellmenge muss eine ganze Zahl sein',
  'Cannot be more than available': 'Nicht mehr als verfügbar',
  'cannot be less than minimum order': 'Nicht weniger als die Mindestmenge',
  'A card can pay from {min} to {max} in one order':
    'Mit einer Karte lassen sich {min} bis {max} pro Bestellung bezahlen',
  'Code must be at most 30 characters': 'Der Code hat höchstens 30 Zeichen',
  'There is no such code. Check the spelling, or leave it empty.':
    'Diesen Code gibt es nicht. Prüfen Sie die Schreibweise, oder lassen Sie das Feld leer.',
  'There is no such code.': 'Diesen Code gibt es nicht.',
  'This code does not count yet.': 'Dieser Code gilt noch nicht.',
  'This code has ended.': 'Dieser Code gilt nicht mehr.',
  'This code is not for this instrument.': 'Dieser Code gilt nicht für dieses Instrument.',
  'This code is used up.': 'Dieser Code ist aufgebraucht.',
  'You have used this code already.': 'Diesen Code haben Sie schon benutzt.',
  'You have tried too many codes that there are not.': 'Sie haben zu viele ungültige Codes eingegeben.',
  'VAT number must be 4 to 30 letters, digits, spaces, dots, dashes and slashes, with at least one digit':
    'Die Umsatzsteuer-Identifikationsnummer hat 4 bis 30 Buchstaben, Ziffern, Leerzeichen, Punkte, Striche und Schrägstriche, mit mindestens einer Ziffer',
  'This instrument is not on sale.': 'Dieses Instrument ist nicht erhältlich.',
  'The price is now {price} each. Nothing was ordered.':
    'Der Preis ist jetzt {price} pro Stück. Es wurde nichts bestellt.',
  'Someone else just ordered these. Please try again.':
    'Jemand anderes hat sie gerade bestellt. Bitte versuchen Sie es noch einmal.',
  'You placed this order before, and it was cancelled. Order again if you still want it.':
    'Diese Bestellung haben Sie schon einmal aufgegeben, und sie wurde storniert. Bestellen Sie noch einmal, wenn Sie sie noch möchten.',
  'You already placed an order with this form. Order again to buy more.':
    'Mit diesem Formular haben Sie schon bestellt. Bestellen Sie noch einmal, um mehr zu kaufen.',
  'You have already sent this with something else in it. Send it again if you want both.':
    'Das haben Sie schon mit anderem Inhalt abgeschickt. Schicken Sie es noch einmal ab, wenn Sie beides wollen.',
  'You are logged in as {email} now. Nothing was ordered. Reload this page.':
    'Sie sind jetzt als {email} angemeldet. Es wurde nichts bestellt. Laden Sie diese Seite neu.',
  'Your earlier order of this instrument was just paid, so we did not replace it. Nothing new was ordered.':
    'Ihre frühere Bestellung dieses Instruments wurde gerade bezahlt, deshalb haben wir sie nicht ersetzt. Es wurde nichts Neues bestellt.',
  'verify your email if you have not yet': 'bestätigen Sie Ihre E-Mail-Adresse, falls noch nicht geschehen',
  'You have placed too many orders in a short time.': 'Sie haben in kurzer Zeit zu viele Bestellungen aufgegeben.',
  'You have too many unpaid orders. Pay or cancel one, or {verify}.':
    'Sie haben zu viele unbezahlte Bestellungen. Bezahlen oder stornieren Sie eine, oder {verify}.',
  'Your unpaid orders would have too many pieces. Pay or cancel one, order fewer, or {verify}.':
    'Ihre unbezahlten Bestellungen hätten zu viele Stücke. Bezahlen oder stornieren Sie eine, bestellen Sie weniger, oder {verify}.',
  'Verify your email to order more than half of what is available':
    'Bestätigen Sie Ihre E-Mail-Adresse, um mehr als die Hälfte des Bestands zu bestellen',
  'Too many unpaid orders came from your network. Verify your email, or wait 15 minutes and try again.':
    'Aus Ihrem Netz kamen zu viele unbezahlte Bestellungen. Bestätigen Sie Ihre E-Mail-Adresse, oder warten Sie 15 Minuten und versuchen Sie es noch einmal.',
  'Stripe is not responding. Try again in a minute.':
    'Stripe antwortet nicht. Versuchen Sie es in einer Minute noch einmal.',
  'This order is already paid.': 'Diese Bestellung ist schon bezahlt.',
  'This order is paid and can no longer be cancelled.':
    'Diese Bestellung ist bezahlt und kann nicht mehr storniert werden.',
  'This order can no longer be paid.': 'Diese Bestellung kann nicht mehr bezahlt werden.',
  'This order has changed in another window. Check My Orders and try again.':
    'Diese Bestellung hat sich in einem anderen Fenster geändert. Sehen Sie unter „Meine Bestellungen“ nach und versuchen Sie es noch einmal.',
  'This order is being paid in another window. Try again in a moment.':
    'Diese Bestellung wird gerade in einem anderen Fenster bezahlt. Versuchen Sie es gleich noch einmal.',
  'This order is not paid, so it has no receipt.':
    'Diese Bestellung ist nicht bezahlt, deshalb gibt es keine Quittung.',
  'This order was paid with another payment.': 'Diese Bestellung wurde mit einer anderen Zahlung bezahlt.',
  'This order costs {price}. Nothing was charged.': 'Diese Bestellung kostet {price}. Es wurde nichts abgebucht.',
  'Order not found.': 'Diese Bestellung gibt es nicht.',
  'You already asked for a price with this form. Send it again to ask for another.':
    'Mit diesem Formular haben Sie schon einen Preis angefragt. Senden Sie es noch einmal, um einen weiteren anzufragen.',
  'Please verify your email first: open the link that we sent you, or ask for a new one.':
    'Bitte bestätigen Sie zuerst Ihre E-Mail-Adresse: Öffnen Sie den Link, den wir Ihnen gesendet haben, oder fordern Sie einen neuen an.',
  '{count} of your requests wait for an answer. Please wait for one of them.':
    '{count} Ihrer Anfragen warten auf eine Antwort. Bitte warten Sie eine davon ab.',
  'There is no such request.': 'Diese Anfrage gibt es nicht.',
  'We have not answered this request yet.': 'Wir haben diese Anfrage noch nicht beantwortet.',
  'There is no offer any more.': 'Das Angebot gilt nicht mehr.',
  'This offer ended on {end}. Ask for a new price.': 'Dieses Angebot endete am {end}. Fragen Sie einen neuen Preis an.',
  'This instrument is not on sale any more.': 'Dieses Instrument ist nicht mehr erhältlich.',
  'The minimum order is {count} now. Ask for a new price.':
    'Die Mindestmenge ist jetzt {count}. Fragen Sie einen neuen Preis an.',
  'Only {available} of the {count} pieces are available now. You can still accept the offer when there are enough, until {end}.':
    'Zurzeit sind nur {available} der {count} Stück verfügbar. Sie können das Angebot noch annehmen, sobald es genug sind, bis {end}.',
  'This browser cannot add a passkey here': 'Dieser Browser kann hier keinen Passkey hinzufügen',
  'This passkey could not be added. Please try again.':
    'Dieser Passkey konnte nicht hinzugefügt werden. Bitte versuchen Sie es noch einmal.',
  'Verify your email first. An account has at most {count} passkeys.':
    'Bestätigen Sie zuerst Ihre E-Mail-Adresse. Ein Konto hat höchstens {count} Passkeys.',
  'This passkey is here already.': 'Diesen Passkey gibt es hier schon.',
  'It is on already, or your email is not verified yet.':
    'Er ist schon eingeschaltet, oder Ihre E-Mail-Adresse ist noch nicht bestätigt.',
  'This was changed in another window.': 'Das wurde in einem anderen Fenster geändert.',
  'This code is wrong, or was used before. Wait for the next one.':
    'Dieser Code ist falsch oder wurde schon benutzt. Warten Sie auf den nächsten.',
  'Order {order} was just paid. Nothing is closed.':
    'Bestellung {order} wurde gerade bezahlt. Es wurde nichts geschlossen.',
  'A payment of order {order} is under way. Nothing is closed. Try again in a few minutes.':
    'Eine Zahlung für Bestellung {order} läuft gerade. Es wurde nichts geschlossen. Versuchen Sie es in ein paar Minuten noch einmal.',
  'An order has changed in another window. Nothing is closed. Please try again.':
    'Eine Bestellung hat sich in einem anderen Fenster geändert. Es wurde nichts geschlossen. Bitte versuchen Sie es noch einmal.',
  'The shop needs an admin: make somebody else one first.':
    'Der Shop braucht jemanden, der ihn verwaltet: Geben Sie zuerst jemand anderem dieses Recht.',
  'Choose an order': 'Wählen Sie eine Bestellung',
  'There is no such order.': 'Diese Bestellung gibt es nicht.',
  'You can only cancel your own orders.': 'Sie können nur Ihre eigenen Bestellungen stornieren.',
  'You have reviewed this instrument already. Choose another one, or the shop.':
    'Dieses Instrument haben Sie schon bewertet. Wählen Sie ein anderes, oder den Shop.',
  'You have written {count} reviews today.': 'Sie haben heute {count} Bewertungen geschrieben.',
}
