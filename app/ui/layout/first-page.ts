import { storeAccessToken } from '../../browser/access-token'

/* The inline script of the first page after sign-in (R42). The server sets the encoded email as `data-email`. */
storeAccessToken(decodeURIComponent(document.currentScript!.dataset.email!))
