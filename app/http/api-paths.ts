/** The first segments of the API's paths. */
export const apiPaths = ['instruments', 'order', 'create-payment-intent', 'reviews', 'user', 'admin', 'update']
