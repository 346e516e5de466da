import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { deliveryTermsOf } from '../http/config.server'
import { submit } from '../http/request/forms.server'
import { savesData } from '../http/response/headers.server'
import { sharedSubmissionId } from '../http/request/submission.server'
import { toastTo } from '../http/response/toast.server'
import { ContactMessage, sendMessage } from '../store/email/contact.server'
import { readHome } from '../store/screens/home.server'
import { organizationData } from '../ui/catalog/structured-data'
import { formState } from '../ui/form-state'
import { About } from '../ui/home/about'
import { Contact } from '../ui/home/contact'
import { Hero } from '../ui/home/hero'
import { HowOrderingWorks } from '../ui/home/how-ordering-works'
import { OurInstruments } from '../ui/home/our-instruments'
import { Reviews } from '../ui/home/reviews'
import { Statistics } from '../ui/home/statistics'
import { sendTo } from '../ui/submission-id'
import { familiesInWords, inSentence } from '../store/catalog/family-words'
import { shopName, tagline } from '../shop-name'
import { t } from '../i18n/language'
import { translate } from '../i18n/translate'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${shopName}: ${data?.words.tagline ?? tagline}` },
  {
    name: 'description',
    content: t(
      'Designer, importer and distributor of handcrafted instruments: {families}, sourced for over four decades at the best world-market price.',
      { families: inSentence(familiesInWords()) },
    ),
  },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const page = await readHome(context)
  const { settings } = context
  const desks = {
    support: { email: settings.supportEmail, phone: settings.supportPhone },
    sales: { email: settings.salesEmail, phone: settings.salesPhone },
    orders: { email: settings.ordersEmail, phone: settings.ordersPhone },
    bugs: { email: settings.bugsEmail, phone: settings.bugsPhone },
  }
  // As the shopkeeper has typed them, or else as they are in this language.
  const words = {
    hero: translate(settings.heroWords),
    story: translate(settings.story),
    tagline: translate(settings.tagline),
  }
  const submissionId = sharedSubmissionId(context)
  const organization = organizationData(context.origin, context.shopEmail, context.settings.logo)
  const terms = deliveryTermsOf(settings)
  return { ...page, terms, desks, words, savesData: savesData(request), submissionId, organization }
}

export async function action({ request, context }: ActionFunctionArgs) {
  return submit({ request, context }, ContactMessage, async (message) => {
    await sendMessage(context, message, context.ip)
    return toastTo(context, '/home#contact', t('Thank you. Your message is on its way to us.'))
  })
}

export default function Home() {
  const { instruments, reviews, terms, desks, words, savesData, submissionId, organization } =
    useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>())
  const { search } = useLocation()
  return (
    <>
      <Hero words={words.hero} picture={!savesData} terms={terms} />
      <OurInstruments instruments={instruments} />
      <About story={words.story} />
      <HowOrderingWorks />
      <Statistics />
      <Reviews reviews={reviews} pictures={!savesData} />
      <Contact action={sendTo({ pathname: '/home', search })} desks={desks} form={form} submissionId={submissionId} />
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: organization }} />
    </>
  )
}
