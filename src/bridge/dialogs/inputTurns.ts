import { deferred, onAbort, type Deferred } from '../../base/async.ts';

/** An input of the editor, as far as turns go. */
export interface TurnInput {
  show(): void;
  /** Hides it for now: it isn't answered. */
  hide(): void;
  /** How many other questions wait for their turn. */
  setWaiting(count: number): void;
}

/** The turn of one question, which can take several inputs. */
export interface InputTurn {
  /** Shows an input as long as it is this question's turn; `undefined` takes the one before away. */
  setInput(input: TurnInput | undefined): void;
  /** Lets the next question come first. */
  putOff(): void;
}

/**
 * The editor shows one input at a time: a second one would close the first. So questions take turns; none blocks another,
 * because the user can put off the one that is shown.
 */
export class InputTurns {
  /** The first is the one that is shown. */
  readonly #turns: Turn[] = [];

  /** Asks when it is this question's turn, or at once where `signal` aborts before. */
  async run<T>(signal: AbortSignal, ask: (turn: InputTurn) => Promise<T>): Promise<T> {
    const turn = new Turn(signal, () => this.#putOff(turn));
    this.#turns.push(turn);
    this.#update();
    const abortion = onAbort(signal, () => turn.begun.resolve());
    try {
      await turn.begun.promise;
      return await ask(turn);
    } finally {
      abortion.dispose();
      this.#turns.splice(this.#turns.indexOf(turn), 1);
      turn.setInput(undefined);
      this.#update();
    }
  }

  /**
   * Shows the question that `signal` takes back before all others, and with the focus.
   * @returns whether it is asked here
   */
  bringForward(signal: AbortSignal): boolean {
    const turn = this.#turns.find((each) => each.signal === signal);
    const [first] = this.#turns;
    if (!turn || !first) return false;
    first.isShown = false;
    this.#turns.splice(this.#turns.indexOf(turn), 1);
    this.#turns.unshift(turn);
    this.#update();
    return true;
  }

  #putOff(turn: Turn): void {
    if (this.#turns[0] !== turn || this.#turns.length === 1) return;
    turn.isShown = false;
    this.#turns.push(...this.#turns.splice(0, 1));
    this.#update();
  }

  #update(): void {
    const [first] = this.#turns;
    if (!first) return;
    first.waiting = this.#turns.length - 1;
    first.isShown = true;
    first.begun.resolve();
  }
}

class Turn implements InputTurn {
  readonly begun: Deferred<void> = deferred();
  readonly signal: AbortSignal;
  readonly putOff: () => void;
  #input: TurnInput | undefined;
  #isShown = false;
  #waiting = 0;

  constructor(signal: AbortSignal, putOff: () => void) {
    this.signal = signal;
    this.putOff = putOff;
  }

  set isShown(isShown: boolean) {
    if (isShown === this.#isShown) return;
    this.#isShown = isShown;
    if (isShown) this.#input?.show();
    else this.#input?.hide();
  }

  set waiting(count: number) {
    this.#waiting = count;
    this.#input?.setWaiting(count);
  }

  setInput(input: TurnInput | undefined): void {
    this.#input = input;
    input?.setWaiting(this.#waiting);
    if (this.#isShown) input?.show();
  }
}
