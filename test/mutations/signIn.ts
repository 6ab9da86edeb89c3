import type { Rows } from './edit.ts';

/** Signing in. */
export const signIn: Rows = {
  'Metadata of a server that leads to a private address or this machine': [
    ['src/connection/auth/requests/addressRules.ts', 'return NEARNESS[other] <= NEARNESS[server];', 'return true;'],
  ],
  'A page to sign in at that isn’t a web page with encryption': [
    ['src/connection/auth/flow/browserSignIn.ts', 'if (!isConfidential(page))', 'if (false)'],
    ['src/connection/auth/flow/browserSignIn.ts', 'await options.guard(page);', ''],
  ],
  'Mix-up: the answer of another authorization server': [
    [
      'src/connection/auth/flow/browserSignIn.ts',
      'await transport.finishAuth(params);',
      "params.set('iss', issuer);\n    await transport.finishAuth(params);",
    ],
  ],
  'A stolen or guessed `state`, and an answer that comes twice': [
    [
      'src/connection/auth/flow/flowRedirect.ts',
      "return randomBytes(32).toString('base64url');",
      "return 'the-one-state-of-all-sign-ins-of-this-machine';",
    ],
  ],
  'A token that is lured to another host': [
    [
      'src/connection/auth/requests/bearer.ts',
      'url.origin === serverUrl.origin && isConfidential(url)',
      'isConfidential(url)',
    ],
  ],
  'A server that names another authorization server than the one signed in at': [
    ['src/connection/auth/flow/browserSignIn.ts', 'if (previous.issuer !== issuer) return', 'if (false) return'],
  ],
  'A look-alike: metadata that calls itself another issuer': [
    [
      'src/connection/auth/flow/discovery.ts',
      'if (expected === undefined || trimmed(expected) !== trimmed(received)) throw error;',
      '',
    ],
  ],
  'A definition that pins its issuer, and a server that names another one': [
    [
      'src/connection/auth/flow/discovery.ts',
      'if (oauth.issuer !== undefined && trimmed(oauth.issuer) !== trimmed(issuer))',
      'if (false)',
    ],
  ],
  'An authorization server that sends a megabyte, or redirects elsewhere': [
    ['src/connection/auth/requests/authFetch.ts', 'limitBody(response, MAX_ANSWER_BYTES, () => undefined)', 'response'],
  ],
  'Another repository’s entry for a server that is signed in to': [
    ['src/host/signIn/signInBinding.ts', '...(isOwn(entry) ? {} : { id })', ''],
  ],
};

/** By what an authorization server answers, and by addresses in metadata. */
export const signInAnswers: Rows = {
  'An authorization server that repeats in its errors what it was sent': [
    [
      'src/connection/auth/requests/authFetch.ts',
      'response.ok || response.body === null ? limited : withoutSent(limited, init)',
      'limited',
    ],
  ],
  'Answers that are no JSON, or in another form, with the tokens in them': [
    [
      'src/connection/auth/requests/authErrors.ts',
      'return error instanceof SyntaxError ||',
      'return error === null && (',
    ],
    [
      'src/connection/auth/requests/authErrors.ts',
      "(error instanceof Error && error.name === 'ZodError');",
      "error instanceof Error && error.name === 'ZodError');",
    ],
  ],
  'An access token that fits into no header': [
    ['src/connection/auth/requests/bearer.ts', 'if (!/^[\\w.~+/-]+=*$/.test(tokens.access_token))', 'if (false)'],
  ],
  'Names and scopes with secrets, markup, controls and no end': [
    ['src/connection/auth/flow/accountName.ts', 'label: accountLabel(mask(label))', 'label'],
  ],
  'Tokens that are over at birth, or last for ever': [
    [
      'src/connection/auth/requests/accessToken.ts',
      'return send(await this.#kept());',
      'return send(await this.#token());',
    ],
  ],
  'A registration that is forgotten or refused where it is used: the next sign-in registers anew': [
    [
      'src/connection/auth/requests/accessToken.ts',
      'isClientGone ? withoutRegistration(kept, grant.issuer) : kept',
      'kept',
    ],
  ],
  'A server that repeats the token it was sent, wherever it can': [
    ['src/connection/auth/requests/accessToken.ts', "if (token !== told) hooks.addSecret('token', token);", ''],
  ],
  'A mix-up by the page: an authorization server that sends the browser to another one’s': [
    [
      'src/connection/auth/flow/browserSignIn.ts',
      'await transport.finishAuth(params);',
      "params.set('iss', issuer);\n    await transport.finishAuth(params);",
    ],
  ],
  'A server that names another authorization server, for a client that needs no person': [
    ['src/connection/auth/grants/machineGrant.ts', 'if (oauth.issuer === undefined) await options.admit(issuer);', ''],
  ],
  'This machine and private networks, in every form of an address': [
    ['src/connection/auth/requests/addressRules.ts', 'if (at === undefined) return undefined;', 'return undefined;'],
  ],
  'A page on this machine or a private network, of a server elsewhere': [
    ['src/connection/auth/flow/browserSignIn.ts', 'await options.guard(page);', ''],
  ],
  'Redirects of metadata, registrations and tokens to another origin': [
    ['src/connection/auth/requests/authFetch.ts', "redirect: 'manual', ", ''],
  ],
};

/** The redirect listener. */
export const signInListener: Rows = {
  'A page elsewhere that reaches the redirect listener by a name that leads to this machine': [
    ['src/bridge/signIn/redirect/loopbackListener.ts', ' && isLoopback(hostnameOf(headers.host))', ''],
  ],
  'Answers with no state, another one, several, or one that is nearly right': [
    ['src/bridge/signIn/awaitedAnswer.ts', "if (!isSame(params.get('state') ?? '', this.#state)) return 'other';", ''],
  ],
  'A second answer, while the first is dealt with and after it': [
    ['src/bridge/signIn/awaitedAnswer.ts', "if (!this.#isOpen) return 'late';", ''],
  ],
  'What no link does: other methods, requests with a body, scripts of other pages, WebSockets': [
    ['src/bridge/signIn/redirect/loopbackListener.ts', "method === 'GET' && names.length", 'names.length'],
  ],
  'Clients that only connect or never finish, as many as there may be': [
    ['src/bridge/signIn/redirect/loopbackListener.ts', 'if (this.#idle.size >= MAX_IDLE) oldest?.destroy();', ''],
  ],
  'A flood of guesses, and requests without an end': [
    ['src/bridge/signIn/awaitedAnswer.ts', "if (!isSame(params.get('state') ?? '', this.#state)) return 'other';", ''],
  ],
  'Another program that holds the registered port, on one of the addresses of its name or on all': [
    [
      'src/bridge/signIn/redirect/loopbackListener.ts',
      "if (error.code === 'EADDRINUSE' || error.code === 'EACCES') throw error;",
      '',
    ],
  ],
  'Markup in what the page says, and the code in what it gives away': [
    ['src/bridge/signIn/redirect/browserPage.ts', 'text.replaceAll(/[&<>"\']/g,', 'text.replaceAll(/[&]/g,'],
  ],
};

/** Hostile servers, pages and windows, once more. */
export const signInHostile: Rows = {
  'A name that stands for a private address, in any of its addresses and notations': [
    ['src/connection/auth/requests/addressRules.ts', ' || isTeredo || isIsatap;', ';'],
  ],
  'A server that has a private address beside its public one, to lead nearer': [
    [
      'src/connection/auth/requests/addressGuard.ts',
      " || addresses.some((address) => reachOf(address) === 'public')",
      '',
    ],
  ],
  'A challenge whose texts look like parameters, or that has no end': [
    ['src/connection/auth/requests/challenges.ts', '"(?<quoted>(?:[^"\\\\]|\\\\.)*)"', '"?(?<quoted>[^\\s,"]*)"?'],
  ],
  'A resource that is another server’s, so that the token is good there': [
    [
      'src/connection/auth/flow/writtenResource.ts',
      'if (!sdk.checkResourceAllowed(',
      'if (!told && sdk.checkResourceAllowed(',
    ],
  ],
  'Look-alikes of an issuer: with a user, a query, a fragment, other letters': [
    ['src/connection/auth/flow/discovery.ts', 'if (!isIssuer(issuer))', 'if (false)'],
  ],
  'A page whose address has a user that looks like its host': [
    ['src/connection/auth/flow/browserSignIn.ts', 'pageHost: page.host,', 'pageHost: page.href,'],
  ],
  'Pages of every scheme that an editor or a browser does something with': [
    ['src/connection/auth/flow/browserSignIn.ts', 'if (!isConfidential(page))', 'if (false)'],
    ['src/connection/auth/flow/browserSignIn.ts', 'await options.guard(page);', ''],
  ],
  'A registration that answers with other addresses to come back to': [
    [
      'src/connection/auth/flow/flowProvider.ts',
      'each && isLoopback(each.hostname) && each.pathname',
      'each && each.pathname',
    ],
  ],
  'A refusal with a status of success, that repeats what it was sent': [
    [
      'src/connection/auth/requests/tokenRequest.ts',
      'return withoutSent(withBody(response, text), sent);',
      'return withBody(response, text);',
    ],
  ],
  'A page that is still open, after the sign-out': [
    [
      'src/connection/auth/signInService.ts',
      "// Whoever signs out isn't signed in again by a page that is still open.\n    this.#running.get(serverId)?.abort();",
      '',
    ],
  ],
  'A server that refuses a tool for everybody, to have its page opened again and again': [
    ['src/connection/auth/requests/accessToken.ts', 'if (told === undefined) this.#anonymous.add(response);', ''],
  ],
};

/** Names that change, answers that never end, and what is kept. */
export const signInNames: Rows = {
  'A name that is public first and leads to this machine or a private network then, to be as near': [
    ['src/connection/auth/requests/addressGuard.ts', '(await answersAt(serverUrl, address))', 'true'],
  ],
  'A name with addresses without number, to have this machine connect to all of them': [
    ['src/connection/auth/requests/addressGuard.ts', '.slice(0, MAX_ADDRESSES)', ''],
  ],
  'Answers that come late, or drip on without an end': [
    ['src/connection/auth/requests/authFetch.ts', 'init?.signal, AbortSignal.timeout(limitMs)]', 'init?.signal]'],
  ],
  'Metadata that is another one the second time it is asked for': [
    ['src/connection/auth/flow/flowProvider.ts', 'return this.#discovery;', 'return undefined;'],
  ],
  'An id token of another issuer, for another client or without an end, and a userinfo of somebody else': [
    ['src/connection/auth/flow/accountName.ts', 'isOwn ? knownIn(claims, mask) : {}', 'knownIn(claims ?? {}, mask)'],
  ],
  'A place to revoke tokens that leads elsewhere, isn’t encrypted, or is none': [
    ['src/connection/auth/requests/authFetch.ts', "redirect: 'manual', ", ''],
  ],
  'An issuer whose name has no end': [
    ['src/connection/auth/flow/discovery.ts', 'text.length <= MAX_ISSUER_CHARS &&', ''],
  ],
  'An answer with a code and an error, or with an error that is a page': [
    ['src/connection/auth/flow/browserSignIn.ts', "if (params.has('error')) params.delete('code');", ''],
  ],
  'A kept secret that is damaged, or was written by somebody else': [
    ['src/connection/auth/grants/accountGrants.ts', '.filter(isGrant)', ''],
  ],
  'A secret of one server that is put in the place of another’s': [
    [
      'src/connection/auth/requests/accessToken.ts',
      'grant?.serverUrl === this.#options.serverUrl.href ? grant : undefined',
      'grant',
    ],
  ],
  'A definition whose redirect address is a stranger’s, or no address': [
    ['src/config/read/transport/readOAuth.ts', "'redirectUri',\n  'issuer',", "'issuer',"],
  ],
};

/** Further ways to sign in. */
export const signInSurfaces: Rows = {
  'A server that asks for other scopes again and again': [
    ['src/connection/auth/requests/stepUps.ts', 'if (this.#isDeclined || this.#asked.has(union)) return false;', ''],
  ],
  'A page whose address has no end': [
    ['src/connection/auth/flow/browserSignIn.ts', 'if (page.href.length > MAX_PAGE_CHARS)', 'if (false)'],
  ],
  'A refused WebSocket that leads elsewhere, never ends its answer, or has a status that there is none of': [
    ['src/connection/remote/webSocket/requestUpgrade.ts', "answer.destroy(new Error('no end'))", 'undefined'],
  ],
  'An identity provider that repeats the ID token, sends it elsewhere or refuses it again and again': [
    ['src/connection/auth/requests/accessToken.ts', 'if (refusal) throw refusal.error;', ''],
  ],
};
