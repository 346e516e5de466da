import { storeAccessToken } from '../auth/access-token'

/*
 * The whole script of a page that ships no other, when it is the first after sign-in (R42). It stands in the page, which names the
 * visitor's email, encoded, on the element.
 */
storeAccessToken(decodeURIComponent(document.currentScript!.dataset.email!))
