/** The first segments of the API's paths. */
export const apiSegments = ['instruments', 'order', 'create-payment-intent', 'reviews', 'user', 'admin', 'update']
