import { inFile, schema, type PlantedBug } from './planted-bug'

/** Bugs in sign-in, roles and the web layer. */
export const plantedIdentity: PlantedBug[] = [
  ...inFile('app/store/shared/rate-limit.server.ts', [], {
    'a limit allows one attempt too many': '?? 0) > max«→ + 1»)',
    'a refused attempt uses up the wider limits': 'sql.join([sql`true`«, ...narrower→»]',
    'a Google handshake works twice': 'WHERE «NOT EXISTS (SELECT 1 FROM rate_limits WHERE key = ${key})→true»',
    'each /64 is another network': 'slice(0, «3→4»)',
    'an attempt is taken back from every window':
      '«and(eq(rateLimits.key, key), eq(rateLimits.until, until))→eq(rateLimits.key, key)»',
  }),
  ...inFile('app/store/accounts/sign-in.server.ts', [], {
    'a device cookie outlives the password': 'origin.device?.passwordMark «===→!==»',
    'sign-ins from one address have no limit': ', ...limits.signInsFromIp«→, max: 6000» }',
    'a locked account’s owner gets no link': '«await enqueueSignInLink(deps, email)→»',
    'a locked account mails its owner for every guess': "AND purpose = 'sign-in' AND «t.created_at→0» >",
    'a sign-in link never expires': 'isNull(emailTokens.usedAt),«\n        gt(emailTokens.expiresAt, now()),→»',
    'an unverified admin has the role': "WHEN «${users.emailVerifiedAt} IS NULL→false» THEN 'customer'",
    'a user has any number of sessions': 'LIMIT «${maxSessions}→1000»',
    'a further sign-in ends the newest session': 'ORDER BY seen_at« DESC, rowid DESC→, rowid»',
    'a successful sign-in uses up an attempt': '«  await forgive\n→»',
    'a browser with a device cookie may guess without limit': '...limits.failedSignInsOfDevice«→, max: 2000»',
    'a flood at one account locks the address out of all accounts': 'both:$«{account}:${ip}→{ip}»',
    'guesses at one account from many clients are not limited': '...limits.failedSignInsOfAccount«→, max: 1000» }',
    'an unknown email skips the password hash':
      '«await passwordMatches(password, row?.hash ?? null)→!!found?.hash && (await passwordMatches(password, found.hash))»',
    'an old password still starts a session after a change': '« AND hash = ${passwordHash}→»',
    'an idle session never expires':
      'return «and(gt(sessions.expiresAt, at), gt(sessions.seenAt, at - sessionIdleTimeout))→gt(sessions.expiresAt, at)»',
    'an active session never expires':
      'return «and(gt(sessions.expiresAt, at), gt(sessions.seenAt, at - sessionIdleTimeout))→gt(sessions.seenAt, at - sessionIdleTimeout)»',
    'using one session extends the others':
      '.set({ seenAt: at }).where(eq(sessions.«tokenHash, tokenHash→userId, found.id»))',
  }),
  ...inFile('app/store/accounts/access-tokens.server.ts', [], {
    'an access token outlives its hour': '«    gt(accessTokens.expiresAt, at),\n→»',
    'an access token outlives its session': '«    gt(sessions.expiresAt, at),\n→»',
    'an outage counts as an expired session':
      "«isBrokenRule(error) ? new Refusal('unauthenticated', 'Log in first.') : error→new Refusal('unauthenticated', 'Log in first.')»",
    'a session has any number of tokens': 'LIMIT «${maxAccessTokens}→1000»',
  }),
  ...inFile('app/store/accounts/sessions.server.ts', [], {
    'the sessions of others are listed': '«and(eq(sessions.userId, user.id), hasNotEnded(now()))→hasNotEnded(now())»',
    'signing out elsewhere ends everybody’s sessions':
      '«and(eq(sessions.userId, user.id), ne(sessions.tokenHash, thisHash))→ne(sessions.tokenHash, thisHash)»',
  }),
  ...inFile('app/store/accounts/password-reset.server.ts', [], {
    'four links of an account work': '«<→<=» ${maxResetLinks}',
    'the name of an unverified account is mailed': 'user.«verifiedAt === null ? null : user.→»name',
    'the owner’s own email is a password': 'isTooCommon(password«, [link.email]→»)',
    'a reset leaves the other links usable': 'WHERE «used_at IS NULL→token_hash = ${tokenHash}» AND user_id = ${owner}',
    'a reset leaves the sessions': 'DELETE FROM sessions WHERE user_id = ${owner}«→ AND expires_at < ${at}»',
    'a reset clears the profile of a verified account': '${owner}« AND email_verified_at IS NULL→»)`',
  }),
  ...inFile('app/store/accounts/take-over.server.ts', ['app/store/accounts/password-reset.server.test.ts'], {
    'the owner gets the attacker’s postal address': 'image = NULL,« address = NULL,→»',
    'the owner gets the attacker’s name': "SET «name = substr(email, 1, instr(email, '@') - 1), →»image",
    'the owner can pay what the attacker ordered': "SET state = '«cancelled→unpaid»', cancelled_at",
  }),
  ...inFile('app/store/accounts/common-passwords.server.ts', [], {
    'capitals make a password uncommon': '.trim()«.toLowerCase()→»',
    'the shop’s name is a password': "lettersOf(«shopName→'kadenza'»)",
    'the part before the @ is a password': "word.toLowerCase()«.split('@')[0]!→»",
    'one character is a password': "«if (/^(.)\\1*$/su.test(text) || text === '') return true→»",
  }),
  ...inFile('app/store/accounts/profile.server.ts', [], {
    'anybody takes the shop’s name': ' && «isShopName(name)→false»',
    'a profile is written without limit':
      '«  await consumeRateLimit(deps, [{ key: `profile:${user.id}`, ...limits.profileUpdatesOfAccount }])\n→»',
    'a profile overwrites everybody’s': '«and(eq(users.id, user.id), isNull(users.closedAt))→isNull(users.closedAt)»',
    'another email is ignored without an error': 'email «!== undefined && email !== user.email→=== null»',
  }),
  ...inFile('app/store/accounts/users.server.ts', [], {
    'the last admin can be revoked':
      '«        AND EXISTS (SELECT 1 FROM users WHERE email <> ${email} AND ${isAdmin})→»`),',
    'an admin who was revoked a moment ago gives roles':
      "staff_role IS NOT ${role}«\n        AND EXISTS (SELECT 1 FROM users WHERE id = ${actor.id} AND role = 'admin' AND email_verified_at IS NOT NULL)→»",
    'an admin who was revoked a moment ago revokes others': 'WHERE «id = ${actor.id} AND ${isAdmin}→true»',
    'another user’s link counts as used by a stranger': '«          eq(emailTokens.userId, user.id),\n→»',
    'another user’s link verifies a stranger': 'WHERE id = ${user.id} AND «id = (SELECT user_id→1 = (SELECT 1»',
    'an expired link verifies an email': 'AND used_at IS NULL« AND expires_at > ${at}→»',
    'a second link changes the verification date': '«coalesce(email_verified_at, ${at})→${at}»',
    'the audit log does not say who made an admin': '${«actor→email»}, id',
    'granting admin twice is logged twice': "« AND role <> 'admin'→»",
    'registrations have no limit': '«limits.registrationsFromIp→{ ...limits.registrationsFromIp, max: 3000 }»,',
    'every registration error reports a taken email':
      '«if (!/UNIQUE constraint failed: users\\.(email|id)/.test(String(error))) throw error→»',
    'links are deleted before they expire':
      'lt(emailTokens.«expiresAt, now() - 24→createdAt, now() - 12» * 60 * 60 * 1000)',
  }),
  ...inFile('app/store/shared/pagination.ts', [], {
    'the last page has a next page': 'rows.length «>→>=» limit',
    'the next page skips a row': '«page→rows».at(-1)',
  }),
  ...inFile('app/store/shared/pagination.server.ts', ['app/store/accounts/users.server.test.ts'], {
    'the next page repeats a row': '${sql.raw(«direction→`${direction}=`»)} (SELECT',
  }),
  ...inFile('app/store/accounts/google-sign-in.server.ts', [], {
    'an unverified Google email is accepted': '«!identity.emailVerified→false»',
    'the hijacker’s session survives the owner’s sign-in':
      '«    db.delete(sessions).where(sql`${sessions.userId} = ${unverifiedId}`),\n→»',
    'the hijacker’s password survives the owner’s sign-in':
      '«    db.delete(passwords).where(sql`${passwords.userId} = ${unverifiedId}`),\n→»',
    'a verified account loses its password': 'WHERE email = ${email} AND« email_verified_at IS NULL AND→»',
    'a Google account that Google does not host takes an account over':
      'email_verified_at IS NULL« AND ${isHosted ? 1 : 0}→»)',
    'a Google account that Google does not host joins in silence': '(email = ${email} AND« ${isHosted ? 1 : 0} AND→»',
    'a second Google account joins in silence':
      'SELECT 1 FROM identities i WHERE «i.user_id = users.id AND i.issuer = ${issuer}→false»))`',
    'a Google account joins an unverified account': '${user.id}« AND email_verified_at IS NOT NULL→»`',
    'the same subject of another issuer is the same user':
      '«and(eq(identities.issuer, identity.issuer), eq(identities.subject, identity.subject))→eq(identities.subject, identity.subject)»',
  }),
  ...inFile('app/store/reviews/reviews.ts', ['app/store/reviews/reviews-of-instruments.server.test.ts'], {
    'the average of stars is rounded down': 'Math.«round→floor»((stars * 10)',
  }),
  ...inFile('app/store/reviews/bought.server.ts', ['app/store/reviews/reviews-of-instruments.server.test.ts'], {
    'what was refunded in full still counts as bought': "'shipped')« AND orders.refunded_cents < orders.total_cents→»`",
  }),
  ...inFile('app/store/reviews/reviews.server.ts', [], {
    'six reviews a day': '${today}) «<→<=» ${maxPerDay}',
    'the review limit covers the last 24 hours': 'const today = «startOfDay(at)→at - day»',
    'a review does not invalidate the cache': "«    deps.invalidate('reviews')\n→»",
    'two customers with one submission id write one review': 'review:$«{customer.id}:${submissionId}→{submissionId}»',
    'another text with the same submission id counts as sent':
      '(value, index) => «value === [description, instrumentId, rating][index]→true»',
  }),
  ...inFile('app/store/email/contact.server.ts', [], {
    'a message that fills the honeypot is emailed': '«  if (website) return\n→»',
    'copies to one email are not counted': '...limits.contactCopiesToEmail«→, max: 300»',
    'all messages count for one IP address': '`contact:ip«:${ip}→»`',
  }),
  ...inFile('app/http/auth/redirect-to.ts', [], {
    'an encoded slash leads to another site': '« || /\\/\\/|[\\\\\\p{Cc}]/u.test(decodeURIComponent(url.pathname))→»',
  }),
  ...inFile('app/http/auth/session.server.ts', [], {
    'the session from before the sign-in stays valid':
      '«  if (context.sessionSecret) await endSession(context, context.sessionSecret)\n→»',
    'scripts can read the session': "{ path: '/', httpOnly: «true→false»",
  }),
  ...inFile('app/http/auth/client-ip.ts', ['app/http/auth/device-cookie.server.test.ts'], {
    'each IPv6 address is another client': '.slice(0, «4→8»)',
    'a client-supplied IP address is trusted':
      "request.headers.get«('cf-connecting-ip')→('x-forwarded-for') ?? request.headers.get('cf-connecting-ip')» ??",
  }),
  ...inFile('app/http/auth/authenticator.server.ts', ['app/http/auth/authenticator.server.test.ts'], {
    'a handshake names the user': '{« sessionKey: newSecret() →»}',
  }),
  ...inFile('app/http/auth/device-cookie.server.ts', [], {
    'a device cookie of one account counts for all':
      'device: «device?.account === (await hashSecret(email)) ? device : null→device»',
  }),
  ...inFile('app/http/response/toast.server.ts', [], {
    'anybody can write a toast': "«        secrets: [keyFor(context, 'toast')],\n→»",
  }),
  ...inFile('app/http/auth/require-user.server.ts', [], {
    'an admin page does not check the role': 'if («may(user, right)→true») return user',
    'sign-in does not return to the requested page': '/login?«redirectTo→from»=${encodeURIComponent(',
  }),
  ...inFile('app/http/request/csrf.server.ts', [], {
    'another origin may post': '«  if (origin !== null && origin !== url.origin) return false\n→»',
    'a same-site origin may post': "site === 'same-origin' ||«→ site === 'same-site' ||»",
    'a cookie without any proof may post': "return «!request.headers.has('cookie')→true»",
    'a Referer with the shop’s origin as a prefix is accepted':
      '«originOf(referer) === url.origin→referer.startsWith(url.origin)»',
    'a path that resembles the webhook’s skips the CSRF check':
      'signedPaths.«includes(url.pathname)→some((path) => request.url.includes(path))»',
  }),
  ...inFile('app/store/shared/validation.server.ts', [], {
    'an invalid email is accepted': '«.regex(z.regexes.html5Email, invalidEmail)→»',
  }),
  ...inFile('app/http/response/cors.server.ts', [], {
    'any origin may read the API': 'origin !== null« && API_ORIGINS.includes(origin)→»',
    'Vary does not name Origin': "'vary') ?? '')) «response.headers.append('vary', 'Origin')→void 0»",
  }),
  ...inFile('app/http/request/negotiate.server.ts', [], {
    'the internal paths are open in upper case': 'decoded(path)«.toLowerCase()→»',
    'a type with q=0 is sent': 'Number(q.slice(2)) || «0→1»',
  }),
  ...inFile('app/api/json.server.ts', [], {
    'the last of two fields of one name counts':
      "«  if (duplicate !== null) throw invalid({ [cutText(duplicate, 100)]: ['Name each field once'] })\n→»",
    'the body size is not limited': 'const usualBytes = 64 * 1024«→ * 1024»',
  }),
  ...inFile('app/api/serve.server.ts', [], {
    'a customer may make an admin’s call': "auth !== 'admin' || «caller?.role === 'admin'→caller»",
    'a private API response may be cached': "...(«endpoint.auth === 'anyone'→true» && { 'cache-control'",
    'the session counts beside an expired token': '(await found?.select)?.[0] ?? «null→(await context.user())»)',
    'an internal error is shown to the caller': "«'Something went wrong on our side.'→String(error)»",
  }),
  ...inFile('app/http/cache/page-cache.server.ts', [], {
    'a program of another origin reads no list': '«target.isApi→false» ? allowOrigin',
    'a Set-Cookie header is cached for everybody': "« || response.headers.has('set-cookie')→»",
    'a change does not invalidate other isolates': 'Promise.all(«namedKeys→[]».map',
  }),
  ...inFile('app/http/cache/target.server.ts', ['app/http/cache/page-cache.server.test.ts'], {
    'each parameter has a rendering of its own': "const query = «reads === 'any'→true»",
    'one visitor’s toast is cached for everybody': '...signedOutCookies«, ...toastCookies→»]',
  }),
  ...inFile('app/http/cache/memory-cache.server.ts', [], {
    'a page that was rendered before a change is cached': 'renderedAt «<=→<» this.invalidatedAt',
    'a stock change does not invalidate pages':
      'return «renderedAt > this.stockInvalidatedAt || now - renderedAt < (isPacked ? stockTtl.packed : stockTtl.page)→true»',
    'who asks after a change gets a rendering from before it': 'current« && current.startedAt > this.invalidatedAt→»',
    'old pages never expire': '« || now - renderedAt > this.ttl + staleWhileRevalidate→»',
  }),
  ...inFile('app/http/cache/brotli.server.ts', [], {
    'the brotli variant has the plain ETag': `etag«.replace(/"$/, '-br"')→»`,
    'a client that refuses brotli gets it': 'q=«(1|0\\\\.0*[1-9])→[\\\\d.]+»',
  }),
  ...inFile('app/gateways/google.server.ts', ['app/http/auth/authenticator.server.test.ts'], {
    'another user’s code is accepted without a challenge':
      "«    params.set('code_challenge', this.proof.challenge)\n→»",
    'every Google email counts as verified': 'emailVerified: «profile.email_verified→true»',
    'a Google error counts as an account':
      '«  if (!response.ok) throw new Error(`Google returned ${response.status}`)\n→»',
  }),
  ...inFile('app/http/auth/authenticator.server.ts', [], {
    'a completed handshake can be reused': '«destroySession→commitSession»(handshake)',
    'all browsers share one verifier': "const verifier = «newSecret()→'verifier'»",
  }),
  ...inFile('app/api/endpoints/users.server.ts', [], {
    'everybody may see who has registered':
      "summary: 'All registered users, oldest first',\n      auth: '«admin→signed-in»'",
    'a customer may read who is an admin': "«        if (caller.role !== 'admin') requireSelf(caller, email)\n→»",
    'a token is issued for any email in the path': '        «requireSelf(caller, params.email!)\n        →»if (body',
    'the email in the path grants the profile':
      '        «requireSelf(caller, params.email!)\n        →»await updateProfile',
  }),
  ...inFile('app/store/accounts/second-factor/second-factor.server.ts', [], {
    'a code of the app works twice':
      '    WHERE user_id = ${user.id}« AND secret = ${row.secret} AND last_step < ${step}→»`)',
    'a password alone switches the second factor off': '«  await useCode(deps, user, proof.code)\n→»',
    'codes can be guessed without limit from many networks': '...limits.wrongCodesOfAccount«→, max: 1000» }',
    'codes can be guessed for weeks': '...limits.wrongCodesOfAccountADay« },→, max: 1000 },»',
    'a browser stays known past a new password': '«device?.passwordMark === mark→device» ? device.id : null',
    'browsers of the mailed link have no limit together': 'knownDevice === null ? id : `${id}:«known→${knownDevice}»`',
    'the owner hears of guesses after the hundredth': '...limits.wrongCodesBeforeEmail« }→, max: 100 }»',
    'a login waits for its code past a new password': 'if (!row« || (byPassword && mark !== pending.passwordMark)→»)',
    'an unverified account may lock its owner out': '« AND email_verified_at IS NOT NULL→»\n    ON CONFLICT',
    'recovery codes are stored as text': '«hashSecret→Promise.resolve»(normalize(code))))',
  }),
  ...inFile('app/store/accounts/sign-in.server.ts', ['app/store/accounts/second-factor/second-factor.server.test.ts'], {
    'a session starts without the code': '«withCode ? undefined : sql`NOT ${isSecondFactorOn(id)}`→undefined»',
  }),
  ...inFile('app/store/shared/encryption.server.ts', [], {
    'a secret can be moved to another account': '«, additionalData: new TextEncoder().encode(owner)→»',
  }),
  ...inFile('app/http/auth/pending-sign-in.server.ts', [], {
    'a half login never expires': '« && pending.data.until > context.now()→»',
  }),
  ...inFile('app/routes/admin/user.tsx', ['app/routes/guards.test.ts'], {
    'any customer may read the page of another':
      'const admin = «await requireAdmin(request, context)→(await context.user())!»\n  const { pathname, search',
  }),
  ...inFile('app/store/screens/customer.server.ts', [], {
    'a user’s page has the orders of everybody': 'and(«eq(orders.customerId, userId), →»afterCursor',
  }),
  ...inFile('app/store/accounts/sessions.server.ts', ['app/store/screens/customer.server.test.ts'], {
    'an admin signs everybody out': 'db.delete(sessions)«.where(eq(sessions.userId, userId))→»',
  }),
  ...inFile(schema, ['app/store/accounts/users.server.test.ts'], {
    'the search of users does not know a new name': 'FROM (SELECT «NEW→OLD».`name` AS text)',
  }),
  ...inFile('app/routes/admin/make-admin.tsx', ['app/routes/auth.test.ts', 'app/routes/guards.test.ts'], {
    'an admin of yesterday’s login makes admins': '«requireRecentSignIn(context, admin, back)→»',
    'Make Admin asks nobody for a password before its question':
      '«if (choose !== undefined) requireRecentSignIn(context, admin, pathname + search)→»',
    'any customer may make admins': "if («admin.role !== 'admin'→!admin.role») {",
  }),
  ...inFile('app/routes/admin/manage-order.tsx', ['app/routes/guards.test.ts'], {
    'any customer may read the history of an order':
      "«await requireRightOrHome(request, context, 'orders')→(await context.user())!»\n  const history",
  }),
  ...inFile('app/routes/auth/sign-out.ts', ['app/routes/auth.test.ts'], {
    'sign-out clears the cookie and keeps the session':
      '«  if (context.sessionSecret) await endSession(context, context.sessionSecret)\n→»',
  }),
  ...inFile('app/routes/auth/login.tsx', ['app/routes/auth.test.ts'], {
    'sign-in redirects to another site':
      "return «safeRedirectTo(new URL(request.url).searchParams.get('redirectTo'))→new URL(request.url).searchParams.get('redirectTo') ?? '/dashboard'»",
  }),
  ...inFile('app/http/auth/log-in.server.ts', ['app/routes/auth.test.ts'], {
    'sign-in sets no device cookie':
      "«  if (passwordHash !== null) headers.append('set-cookie', await setDeviceCookie(context, { email, passwordHash }))\n→»",
  }),
  ...inFile('app/routes/auth/register.tsx', ['app/routes/auth.test.ts'], {
    'registration keeps the earlier session':
      'await renewSession(«context→{ ...context, sessionSecret: null }», session)',
  }),
  ...inFile('app/routes/auth/google.ts', ['app/routes/auth.test.ts'], {
    'the Google callback redirects to another site': "«safeRedirectTo→String»(form.get('redirectTo'))",
  }),
  ...inFile('app/routes/auth/reset-password.tsx', ['app/routes/auth.test.ts'], {
    'a reset leaves the cookie of an ended session':
      "new Headers(«{ 'set-cookie': await clearSessionCookie(context.origin) }→»)",
  }),
  ...inFile('app/load-context.server.ts', ['app/worker.server.test.ts'], {
    'the session cookie counts beside a token': '«hasBearerToken(request) ? null : →»await readSessionCookie',
  }),
  ...inFile('app/worker.server.ts', [], {
    'cross-site forms are accepted': "«isCrossSite(request) ? 'foreign origin' : →»null",
    'the internal paths are open': 'const negotiated = negotiate(withoutGetBody(request))«→ ?? request»',
    'a token is redirected from plain http': '«hasBearerToken(request) || →»',
    'an internal error counts as an outage': 'response.status === 500« && context.outage→»',
  }),
  ...inFile('app/http/response/headers.server.ts', ['app/worker.server.test.ts'], {
    'a private page may be cached':
      "if (!headers.has('cache-control')) headers.set('cache-control', 'private«, no-store→»')",
  }),
  ...inFile('app/store/operations/deliver-email.server.ts', ['app/store/operations/scheduled-tasks.server.test.ts'], {
    'the shop remembers for ever who got an email': ".set({ «recipient: '', →»subject: '' })",
  }),
  ...inFile('app/http/auth/require-user.server.ts', ['app/routes/auth.test.ts'], {
    'a refused admin page leaves no line': "«  logSecurityEvent(context, 'not allowed', { user: user.id })\n→»",
  }),
  ...inFile('app/http/config.server.ts', [], {
    'the database of an https shop may be unencrypted': "«address.startsWith('http:') || →»",
  }),
  ...inFile('app/http/keys.server.ts', ['app/http/auth/session.server.test.ts'], {
    'another host of the domain can set a cookie': '`«__Host→__Secure»-${name}`',
  }),
]
