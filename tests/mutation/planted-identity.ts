import { inFile, type PlantedBug } from './planted-bug'

/** Bugs in sign-in, roles and the web layer. */
export const plantedIdentity: PlantedBug[] = [
  ...inFile('app/store/shared/rate-limit.server.ts', [], {
    'a refused attempt uses up the wider limits': 'sql.join([sql`true`«, ...narrower→»]',
    'a Google handshake works twice': 'WHERE «NOT EXISTS (SELECT 1 FROM rate_limits WHERE key = ${key})→true»',
    'an attempt is taken back from every window':
      '«and(eq(rateLimits.key, key), eq(rateLimits.until, until))→eq(rateLimits.key, key)»',
  }),
  ...inFile('app/store/accounts/sign-in.server.ts', [], {
    'a locked account mails its owner for every guess': "AND purpose = 'sign-in' AND «t.created_at→0» >",
    'a sign-in link never expires': 'isNull(emailTokens.usedAt),«\n        gt(emailTokens.expiresAt, now()),→»',
    'an unverified admin has the role': "WHEN «${users.emailVerifiedAt} IS NULL→false» THEN 'customer'",
    'a user has any number of sessions': 'LIMIT «${maxSessions}→1000»',
    'a further sign-in ends the newest session': 'ORDER BY seen_at« DESC, rowid DESC→, rowid»',
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
    'a session has any number of tokens': 'LIMIT «${maxAccessTokens}→1000»',
  }),
  ...inFile('app/store/accounts/sessions.server.ts', [], {
    'the sessions of others are listed': '«and(eq(sessions.userId, user.id), hasNotEnded(now()))→hasNotEnded(now())»',
    'signing out elsewhere ends everybody’s sessions':
      '«and(eq(sessions.userId, user.id), ne(sessions.tokenHash, thisHash))→ne(sessions.tokenHash, thisHash)»',
  }),
  ...inFile('app/store/accounts/password-reset.server.ts', [], {
    'four links of an account work': '«<→<=» ${maxResetLinks}',
    'a reset leaves the other links usable': 'WHERE «used_at IS NULL→token_hash = ${tokenHash}» AND user_id = ${owner}',
    'a reset leaves the sessions': 'DELETE FROM sessions WHERE user_id = ${owner}«→ AND expires_at < ${at}»',
    'a reset clears the profile of a verified account': '${owner}« AND email_verified_at IS NULL→»)`',
  }),
  ...inFile('app/store/accounts/take-over.server.ts', ['app/store/accounts/password-reset.server.test.ts'], {
    'the owner gets the attacker’s postal address': 'image = NULL,« address = NULL,→»',
    'the owner gets the attacker’s name': "SET «name = substr(email, 1, instr(email, '@') - 1), →»image",
    'the owner can pay what the attacker ordered': "SET state = '«cancelled→unpaid»', cancelled_at",
  }),
  ...inFile('app/store/accounts/profile.server.ts', [], {
    'a profile overwrites everybody’s': '«and(eq(users.id, user.id), isNull(users.closedAt))→isNull(users.closedAt)»',
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
    'granting admin twice is logged twice': "WHERE ${isCandidate}« AND role <> 'admin'→»`),\n    db.update",
    'links are deleted before they expire':
      'lt(emailTokens.«expiresAt, now() - 24→createdAt, now() - 12» * 60 * 60 * 1000)',
  }),
  ...inFile('app/store/shared/pagination.server.ts', ['app/store/accounts/users.server.test.ts'], {
    'the next page repeats a row': '${sql.raw(«direction→`${direction}=`»)} (SELECT',
  }),
  ...inFile('app/store/accounts/google-sign-in.server.ts', [], {
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
    'a Google account joins an unverified account':
      '${user.id}« AND email_verified_at IS NOT NULL→» AND closed_at IS NULL`',
    'the same subject of another issuer is the same user':
      '«and(eq(identities.issuer, identity.issuer), eq(identities.subject, identity.subject))→eq(identities.subject, identity.subject)»',
  }),
  ...inFile('app/store/reviews/bought.server.ts', ['app/store/reviews/reviews-of-instruments.server.test.ts'], {
    'what was refunded in full still counts as bought': "'shipped')« AND orders.refunded_cents < orders.total_cents→»`",
  }),
  ...inFile('app/store/reviews/reviews.server.ts', [], {
    'six reviews a day': '${today}) «<→<=» ${maxPerDay}',
  }),
  ...inFile('app/store/accounts/second-factor/second-factor.server.ts', [], {
    'a code of the app works twice':
      '    WHERE user_id = ${user.id}« AND secret = ${row.secret} AND last_step < ${step}→»`)',
    'an unverified account may lock its owner out': '« AND email_verified_at IS NOT NULL→»\n    ON CONFLICT',
  }),
  ...inFile('app/store/accounts/sign-in.server.ts', ['app/store/accounts/second-factor/second-factor.server.test.ts'], {
    'a session starts without the code': '«withCode ? undefined : sql`NOT ${isSecondFactorOn(id)}`→undefined»',
  }),
  ...inFile('app/store/screens/customer.server.ts', [], {
    'a user’s page has the orders of everybody': 'and(«eq(orders.customerId, userId), →»afterCursor',
  }),
  ...inFile('app/store/accounts/sessions.server.ts', ['app/store/screens/customer.server.test.ts'], {
    'an admin signs everybody out': 'db.delete(sessions)«.where(eq(sessions.userId, userId))→»',
  }),
  ...inFile('app/store/accounts/user-search.server.ts', ['app/store/accounts/users.server.test.ts'], {
    'the search of users does not know a new name': 'INSERT OR «REPLACE→IGNORE» INTO',
  }),
]
