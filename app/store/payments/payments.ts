export type PaymentResult = 'paid' | 'not-paid' | 'provider-away'
