/** What to tell a customer who comes back from paying. */
export type PaymentResult = 'paid' | 'not-paid' | 'provider-away'
