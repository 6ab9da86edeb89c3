import { deferred } from '../../../src/base/async.ts';
import type { InputTurn, TurnInput } from '../../../src/bridge/dialogs/inputTurns.ts';
import { eventually } from '../../support/eventually.ts';

/** An input of the editor without the editor. */
export class FakeInput implements TurnInput {
  isVisible = false;
  waiting = 0;
  readonly #answer = deferred<string>();
  #turn: InputTurn | undefined;

  ask(turn: InputTurn): Promise<string> {
    this.#turn = turn;
    turn.setInput(this);
    return this.#answer.promise;
  }

  show(): void {
    this.isVisible = true;
  }

  hide(): void {
    this.isVisible = false;
  }

  setWaiting(count: number): void {
    this.waiting = count;
  }

  putOff(): void {
    this.#turn?.putOff();
  }

  answer(text: string): void {
    this.isVisible = false;
    this.#answer.resolve(text);
  }

  async shown(): Promise<void> {
    await eventually('it is shown', () => this.isVisible);
  }
}
