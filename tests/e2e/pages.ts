/** The pages that anybody sees. */
export const openPages = [
  '/',
  '/allInstruments',
  '/reviews',
  '/login',
  '/register',
  '/nowhere',
  '/verify-email?token=x',
  '/forgot-password',
  '/reset-password?token=x',
]

/** A customer's pages, but for those of one order. */
export const customerPages = [
  '/instruments/oboe',
  '/dashboard',
  '/dashboard/myOrders',
  '/dashboard/addReview',
  '/dashboard/myProfile',
  '/dashboard/myProfile/sessions',
]

/** The shopkeeper's pages, but for those of one order. */
export const deskPages = [
  '/dashboard/makeAdmin',
  '/dashboard/addProduct',
  '/dashboard/manageOrders',
  '/dashboard/manageProduct',
  '/dashboard/manageProduct?delete=oboe',
  '/dashboard/manageProduct/oboe',
  '/dashboard/manageOrders?status=cancelled',
]
