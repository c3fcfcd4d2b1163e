import type { Principal } from '@gateway/call-contract';
import type { LoginOutcome, LogoutOutcome } from '@gateway/core-tools';

/** A sign-in to a server that was started, or failed. */
export interface LoginFact {
  readonly server: string;
  readonly principal: Principal;
  readonly result: LoginOutcome['kind'];
}

/** A sign-out from a server. */
export interface LogoutFact {
  readonly server: string;
  readonly principal: Principal;
  readonly result: LogoutOutcome['kind'];
}

/** Receives facts about sign-ins to servers, for metrics. They contain no secrets. */
export interface SignInObserver {
  readonly loggedIn: (fact: LoginFact) => void;
  readonly loggedOut: (fact: LogoutFact) => void;
}
