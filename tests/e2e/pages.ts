export const openPages = [
  '/',
  '/allInstruments?q=flutte&max=x',
  '/catalog/oboe-conservatoire-system',
  '/reviews',
  '/login',
  '/register',
  '/nowhere',
  '/verify-email?token=x',
  '/forgot-password',
  '/unsubscribe?token=x',
  '/reset-password?token=x',
]

export const customerPages = [
  '/instruments/oboe',
  '/dashboard',
  '/dashboard/myOrders',
  '/dashboard/addReview',
  '/dashboard/myProfile',
  '/dashboard/myProfile/sessions',
  '/dashboard/myProfile/secondFactor',
  '/dashboard/wishes?instrument=oboe',
  '/login/confirm',
]

export const adminPages = [
  '/dashboard/makeAdmin?q=ada',
  '/dashboard/makeAdmin?make=demo-ada',
  '/dashboard/makeAdmin/demo-ada',
  '/dashboard/addProduct',
  '/dashboard/manageOrders',
  '/dashboard/manageProduct',
  '/dashboard/messages',
  '/dashboard/reviews',
  '/dashboard/manageProduct/import',
  '/dashboard/manageProduct?delete=oboe',
  '/dashboard/manageProduct/oboe',
  '/dashboard/manageProduct/oboe/history',
  '/dashboard/shopEmails',
  '/dashboard/manageOrders?status=cancelled',
]
