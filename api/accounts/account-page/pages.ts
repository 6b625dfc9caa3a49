import type { AddPages } from '../../site/pages/add-pages.ts'
import { addAccountPage } from './account-page.ts'
import { addPasskeyOptions } from './passkey-options.ts'
import { addSignInLink } from './sign-in-link-page.ts'
import { addSignIn } from './sign-in-page.ts'
import { addSignOut } from './sign-out.ts'
import { addSignUp } from './sign-up-page.ts'
import { accountSite } from './site.ts'

/** The pages by which people sign up, sign in and out, and look after their account. */
export const addAccountPages: AddPages = (pages, dependencies) => {
  const site = accountSite(dependencies)
  for (const add of [addSignUp, addSignIn, addSignInLink, addSignOut, addPasskeyOptions, addAccountPage])
    add(pages, site)
}
