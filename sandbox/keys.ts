/** The sandbox's keys. They open nothing but the sandbox. */
export const stripeSecretKey = 'sk_test_cadenza_sandbox'
export const stripePublishableKey = 'pk_test_cadenza_sandbox'
export const stripeWebhookSecret = 'whsec_cadenza_sandbox'
export const mailApiKey = 're_cadenza_sandbox'
export const googleClientId = 'cadenza-sandbox.apps.googleusercontent.com'
export const googleClientSecret = 'GOCSPX-cadenza-sandbox'
