"""Beckon for Python: ask a person and carry on with exactly that answer, exactly once.

    from beckon import Hub

    hub = Hub()                                    # BECKON_URL and BECKON_TOKEN
    outcome = hub.ask("Ship it?", options=["yes", "no"])
    if outcome.value == "yes":
        ship()

One file, Python 3.9 or newer, no dependencies: copy it beside your program. It talks to `beckon serve` over HTTP, as
its /api/openapi.json describes. Every call may be made from several threads at once.

A call that got no reply is sent again, and is the same call to the hub: an ask by its content or its key, a yes and a
value by a nonce, everything else because it says the same twice. A wait goes on across restarts of the server.
"""

from __future__ import annotations

import base64
import http.client
import ipaddress
import json
import os
import random
import re
import secrets
import shlex
import socket
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, TypedDict, Union, cast

__all__ = [
    "Answer",
    "Approval",
    "BeckonError",
    "Event",
    "Hub",
    "Message",
    "Outcome",
    "Provided",
    "Question",
    "Request",
    "Settlement",
    "StillPending",
]
__version__ = "0.1.0"

Kind = Literal["question", "dependency", "approval", "review"]
SettledStatus = Literal["answered", "defaulted", "skipped", "declined", "expired", "cancelled", "orphaned"]
Status = Literal["pending", "answered", "defaulted", "skipped", "declined", "expired", "cancelled", "orphaned"]
OnTimeout = Literal["default", "fail", "remind"]
DependencyType = Literal["api_key", "env_variable", "service", "file", "permission", "package"]
Category = Literal["business", "clarification", "choice", "confirmation"]
Severity = Literal["none", "low", "medium", "high", "critical"]
Value = Union[str, List[str], None]
Json = Union[None, bool, int, float, str, Sequence["Json"], Mapping[str, "Json"]]
Duration = Union[int, float, str, timedelta]
"""Seconds, a timedelta, or a text such as "15m"."""


class Option(TypedDict, total=False):
    label: str
    description: str
    preview: str


class Question(TypedDict, total=False):
    """What an ask with several questions has of each. Only `question` is required."""

    id: str
    question: str
    header: Optional[str]
    category: Optional[Category]
    options: Sequence[Union[str, Option]]
    multiSelect: bool
    allowOther: bool
    default: Union[str, Sequence[str], None]


class Answer(TypedDict):
    """The answer to one question."""

    id: str
    selected: List[str]
    text: Optional[str]
    note: Optional[str]


class AnswerInput(TypedDict, total=False):
    """What a person answers to one of several questions: `value` is a label, a number or text."""

    id: str
    value: Union[str, Sequence[str]]
    selected: Sequence[str]
    text: Optional[str]
    note: Optional[str]


class Message(TypedDict):
    """What a person asks back on an open request, or what the agent replied."""

    id: str
    by: str
    text: str
    at: str


class _EveryOutcome(TypedDict):
    status: SettledStatus
    answers: List[Answer]
    by: str
    channel: str
    at: str
    note: Optional[str]
    reason: Optional[str]


class OutcomeDocument(_EveryOutcome, total=False):
    reference: str
    edited: Dict[str, Any]
    always: str


class _EveryRequest(TypedDict):
    id: str
    kind: Kind
    status: Status
    run: Optional[str]
    required: bool
    context: Optional[str]
    agent: Dict[str, Any]
    deadline: Optional[str]
    onTimeout: OnTimeout
    key: Optional[str]
    createdAt: str
    settledAt: Optional[str]
    deliveredAt: Optional[str]
    usedAt: Optional[str]
    outcome: Optional[OutcomeDocument]
    messages: List[Message]


class Request(_EveryRequest, total=False):
    """A request as the hub sends it. docs/requests.md has the fields of each kind."""

    questions: List[Question]
    type: str
    name: str
    description: str
    action: Dict[str, Any]
    title: str
    files: List[str]
    diff: Optional[str]
    feedback: Optional[str]


class Event(TypedDict):
    """One recorded fact. Its `id` is the cursor to follow from."""

    id: int
    type: str
    at: str
    request: Optional[str]
    run: Optional[str]
    data: Dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """How a request ended. Only "answered" is the answer of a person, or of a rule that a person made.

    `value` is what was chosen: a label or text, a list where several may be chosen; None where there is no one value.
    """

    id: str
    status: SettledStatus
    answers: Sequence[Answer]
    by: str
    channel: str
    at: str
    note: Optional[str] = None
    reason: Optional[str] = None
    value: Value = None


@dataclass(frozen=True)
class Approval(Outcome):
    """True if a person said yes, and the yes is spent: do it now, once.

    A person may have approved another version: run `command`, or call the tool with `input`, not what you asked for.
    """

    command: Optional[str] = None
    input: Any = None
    cwd: Optional[str] = None
    is_edited: bool = False

    def __bool__(self) -> bool:
        return self.status == "answered"


@dataclass(frozen=True)
class Provided(Outcome):
    """True if a person provided it. `value` is the key, the text or the path; it is not shown by repr()."""

    value: Optional[str] = field(default=None, repr=False)

    def __bool__(self) -> bool:
        return self.status == "answered"


@dataclass(frozen=True)
class Settlement:
    """`won`: this call settled it. `replay`: the same answer had settled it before. Otherwise somebody else won."""

    won: bool
    replay: bool
    request: Request


class BeckonError(Exception):
    """A refusal or a failure. `code` is the contract: "invalid", "not_found", "not_allowed", "unreachable" …"""

    def __init__(
        self, code: str, message: str, details: Any = None, *, temporary: bool = False, retry_after: float = 0.0
    ) -> None:
        super().__init__(message)
        self.code = code
        self.details = details
        self.temporary = temporary
        """Whether the same call may succeed later, without anybody changing it."""
        self.retry_after = retry_after


class StillPending(BeckonError, TimeoutError):
    """Nobody has answered in the time that this call waited. The request stays open: `hub.wait(error.id)` goes on."""

    def __init__(self, request: Request, waited: float) -> None:
        id = request["id"]
        text = f"Nobody answered {id} within {_seconds(waited)}. It stays open; wait for it again by its id."
        super().__init__("still_pending", text)
        self.id = id
        self.request = request


OnMessage = Callable[[Message, Callable[[str], None]], object]
File = Union[str, "os.PathLike[str]"]

# Shorter than the time after which proxies cut a call off.
_LONGEST_POLL = 50.0
_REPLY_TIMEOUT = 25.0
_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 5.0
_LONGEST_RETRY_AFTER = 60.0
# The server sends a heartbeat every 15 seconds.
_LONGEST_SILENCE = 45.0


class Hub:
    """A hub over HTTP. Without arguments it is the one of BECKON_URL and BECKON_TOKEN.

    `agent` is who asks, as people see it; an ask is taken up again only by the same agent. `retry_for` is how many
    seconds a call is sent again while the hub is away; a wait goes on until its own limit.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        agent: Optional[str] = None,
        cwd: Optional[File] = None,
        retry_for: float = 20.0,
    ) -> None:
        self.url = _checked_url(url or os.environ.get("BECKON_URL") or "http://127.0.0.1:4141")
        self._token = _checked_token(token or os.environ.get("BECKON_TOKEN") or _token_file())
        self._agent = agent or _program()
        self._cwd = os.fspath(cwd) if cwd is not None else os.getcwd()
        self._retry_for = retry_for
        self._opener = _opener(self.url)

    # Asking

    def ask(
        self,
        question: Union[str, Sequence[Question]],
        *,
        options: Sequence[Union[str, Option]] = (),
        default: Union[str, Sequence[str], None] = None,
        multi_select: bool = False,
        allow_other: Optional[bool] = None,
        header: Optional[str] = None,
        category: Optional[Category] = None,
        context: Optional[str] = None,
        attach: Sequence[File] = (),
        required: bool = True,
        timeout: Optional[Duration] = None,
        on_timeout: Optional[OnTimeout] = None,
        key: Optional[str] = None,
        wait: Optional[Duration] = None,
        on_message: Optional[OnMessage] = None,
    ) -> Outcome:
        """Asks a question (or several) and waits for the answer.

        `timeout` is the deadline of the request, and `on_timeout` what the hub does then. `wait` is how long this call
        waits before it raises StillPending; the request stays open. With `key`, a program that is started again gets
        the same request, and its answer, also after it was delivered. With `on_message`, people can ask back.
        """
        return self._ask(
            {
                "questions": _questions(question, options, default, multi_select, allow_other, header, category),
                "attachments": [_attachment(file) for file in attach],
                **_common(context, required, timeout, on_timeout, key, on_message),
            },
            wait,
            on_message,
        )

    def review(
        self,
        title: str,
        *,
        diff: Optional[str] = None,
        files: Sequence[str] = (),
        phase: Union[int, str, None] = None,
        context: Optional[str] = None,
        required: bool = True,
        timeout: Optional[Duration] = None,
        on_timeout: Optional[OnTimeout] = None,
        key: Optional[str] = None,
        wait: Optional[Duration] = None,
        on_message: Optional[OnMessage] = None,
    ) -> Outcome:
        """Asks for a review of finished work. `value` is "approve" or "changes", and `answers` has the words."""
        ask = {"kind": "review", "title": title, "files": list(files), "diff": diff, "phase": phase}
        return self._ask({**ask, **_common(context, required, timeout, on_timeout, key, on_message)}, wait, on_message)

    def approve(
        self,
        command: Union[str, Sequence[str], None] = None,
        *,
        tool: Optional[str] = None,
        input: Json = None,
        cwd: Optional[File] = None,
        context: Optional[str] = None,
        severity: Optional[Severity] = None,
        timeout: Optional[Duration] = None,
        on_timeout: Optional[OnTimeout] = None,
        key: Optional[str] = None,
        wait: Optional[Duration] = None,
        on_message: Optional[OnMessage] = None,
    ) -> Approval:
        """Asks for a yes to one command, or to one call of a tool, and spends the yes.

        It asks about every command; `beckon approve` lets its guard decide first, and binds the yes to the files, too.
        """
        action: Dict[str, Any] = {"cwd": os.fspath(cwd) if cwd is not None else self._cwd}
        if isinstance(command, str):
            action["command"] = command
        elif command is not None:
            action.update(command=shlex.join(command), argv=list(command))
        if tool is not None:
            action.update(tool=tool, input=input)
        if severity is not None:
            action["severity"] = severity
        common = _common(context, True, timeout, on_timeout, key, on_message)
        request = self.raise_({"kind": "approval", "action": action, **common})
        settled = self._settled(request, wait, on_message)
        if settled["status"] == "answered":
            self.use(settled["id"])
        else:
            self._deliver(settled["id"])
        edited = _outcome_of(settled).get("edited") or {}
        asked = settled.get("action") or {}
        return Approval(
            **_outcome_fields(settled),
            command=edited.get("command", asked.get("command")),
            input=edited.get("input", asked.get("input")),
            cwd=action["cwd"],
            is_edited=bool(edited),
        )

    def need(
        self,
        type: DependencyType,
        name: str,
        description: str,
        *,
        context: Optional[str] = None,
        required: bool = True,
        timeout: Optional[Duration] = None,
        on_timeout: Optional[OnTimeout] = None,
        key: Optional[str] = None,
        wait: Optional[Duration] = None,
        on_message: Optional[OnMessage] = None,
    ) -> Provided:
        """Asks for a key, a value, a file or a permission, and takes it, once. Say in `description` what it is for."""
        ask = {"kind": "dependency", "type": type, "name": name, "description": description}
        request = self.raise_({**ask, **_common(context, required, timeout, on_timeout, key, on_message)})
        settled = self._settled(request, wait, on_message)
        fields = _outcome_fields(settled)
        if settled["status"] == "answered":
            fields["value"] = self.use(settled["id"])
        else:
            self._deliver(settled["id"])
        return Provided(**fields)

    def raise_(self, ask: Mapping[str, Any]) -> Request:
        """Stores a request of any kind and returns without waiting. docs/requests.md has the fields."""
        body: Dict[str, Any] = {**ask, "agent": {"name": self._agent, "cwd": self._cwd, **ask.get("agent", {})}}
        if ask.get("kind") == "approval" and not ask.get("key") and not ask.get("takeUp"):
            # An approval joins none by its content unless it says so: without a key, a lost reply would ask twice.
            body["key"] = f"python-{secrets.token_hex(16)}"
        return self._request("POST", "/api/requests", body)

    def wait(
        self, id: str, wait: Optional[Duration] = None, *, on_message: Optional[OnMessage] = None
    ) -> Outcome:
        """Waits for a request that was raised before and takes its outcome.

        It spends no yes and opens no value: `use(id)` does. After `wait`, it raises StillPending.
        """
        settled = self._settled(self.get(id), wait, on_message)
        if not _ends_in_effect(settled):
            self._deliver(id)
        return Outcome(**_outcome_fields(settled))

    def use(self, id: str) -> Optional[str]:
        """Spends the yes to an approval, or takes a provided value, once. A second use fails with the code "used"."""
        # The same nonce again is the same use: a reply that was lost burns nothing.
        used = self._call("POST", f"/api/requests/{_quote(id)}/value", {"nonce": secrets.token_hex(16)}).document
        value = cast(Optional[str], used["value"])
        if value is not None and used["request"]["run"] is None:
            # Only now nobody needs the value again. If this is lost, the hub deletes it after a while.
            try:
                self._deliver(id)
            except BeckonError:
                pass
        return value

    def cancel(self, id: str, reason: Optional[str] = None) -> Settlement:
        """Withdraws a request."""
        return self._settle(id, "cancel", _given(reason=reason))

    def reply(self, id: str, text: str) -> Request:
        """Replies to a person who asked back."""
        return self._request("POST", f"/api/requests/{_quote(id)}/messages", {"text": text, "as": "agent"})

    # Answering, with a token of the scope `answer`

    def answer(
        self,
        id: str,
        value: Union[str, Sequence[str], None] = None,
        *,
        text: Optional[str] = None,
        answers: Optional[Sequence[AnswerInput]] = None,
        note: Optional[str] = None,
        by: Optional[str] = None,
    ) -> Settlement:
        """Answers for a person: `value` is a label or its number (several in a list), or the text itself."""
        return self._settle(id, "answer", _given(value=value, text=text, answers=answers, note=note, by=by))

    def decline(self, id: str, reason: Optional[str] = None, *, by: Optional[str] = None) -> Settlement:
        """Says no for a person."""
        return self._settle(id, "decline", _given(reason=reason, by=by))

    def skip(self, id: str, *, by: Optional[str] = None) -> Settlement:
        """Passes over an optional request for a person."""
        return self._settle(id, "skip", _given(by=by))

    # Looking

    def get(self, id: str) -> Request:
        return self._request("GET", f"/api/requests/{_quote(id)}")

    def requests(
        self, status: Literal[Status, "all"] = "pending", *, kind: Optional[Kind] = None, run: Optional[str] = None
    ) -> Iterator[Request]:
        """Every request that this token may see, oldest first; agents see their own."""
        query = _given(status=status, kind=kind, run=run)
        while True:
            page = self._call("GET", f"/api/requests?{urllib.parse.urlencode(query)}").document
            yield from page["requests"]
            if page["next"] is None:
                return
            query["after"] = page["next"]

    def follow(
        self,
        since: Optional[int] = None,
        *,
        on_ready: Optional[Callable[[int], object]] = None,
        on_gap: Optional[Callable[[int], object]] = None,
    ) -> Iterator[Event]:
        """Every event after the cursor (without one: from now on), as it happens, over as many connections as it takes.

        `on_ready` gets the cursor at which the events begin. Where events were deleted before they were read, `on_gap`
        gets the cursor at which it goes on; without it, that fails with the code "cursor_gone".
        """
        cursor = since
        pause = _FIRST_PAUSE
        while True:
            try:
                with self._open_stream(cursor) as response:
                    for line_id, comment, data in _read_event_stream(response):
                        pause = _FIRST_PAUSE
                        if data is not None:
                            event = cast(Event, json.loads(data))
                            cursor = event["id"]
                            yield event
                        elif line_id is not None:
                            cursor = int(line_id)
                        elif comment is not None and comment.isdigit():
                            cursor = int(comment) if cursor is None else cursor
                            if on_ready:
                                on_ready(int(comment))
                                on_ready = None
            except BeckonError as error:
                if error.code == "cursor_gone" and on_gap:
                    cursor = int(error.details["oldest"])
                    on_gap(cursor)
                    continue
                if not error.temporary:
                    raise
            except (OSError, http.client.HTTPException):
                # It broke while it was read: the next connection goes on after the last event.
                pass
            time.sleep(_with_jitter(pause))
            pause = min(pause * 2, _LONGEST_PAUSE)

    # How it is done

    def _ask(self, ask: Mapping[str, Any], wait: Optional[Duration], on_message: Optional[OnMessage]) -> Outcome:
        settled = self._settled(self.raise_(ask), wait, on_message)
        self._deliver(settled["id"])
        return Outcome(**_outcome_fields(settled))

    def _settled(self, request: Request, wait: Optional[Duration], on_message: Optional[OnMessage]) -> Request:
        """Waits in several calls, each short enough for proxies, across restarts of the server."""
        limit = None if wait is None else _to_seconds(wait)
        give_up_at = None if limit is None else time.monotonic() + limit
        pause = _FIRST_PAUSE
        failed: Optional[BeckonError] = None
        while request["status"] == "pending":
            left = float("inf") if give_up_at is None else give_up_at - time.monotonic()
            if left <= 0:
                # Whether somebody answered meanwhile is not known where the hub cannot be reached.
                raise failed or StillPending(request, limit or 0.0)
            poll = min(left, _LONGEST_POLL)
            query = f"wait={poll:.3f}{'&orMessage=true' if on_message else ''}"
            try:
                reply = self._call_once("GET", f"/api/requests/{_quote(request['id'])}?{query}", timeout=poll)
                request, pause, failed = cast(Request, reply.document), _FIRST_PAUSE, None
            except BeckonError as error:
                if not error.temporary:
                    raise
                failed = error
                time.sleep(min(_pause_after(error, pause), left))
                pause = min(pause * 2, _LONGEST_PAUSE)
                continue
            if on_message and request["status"] == "pending":
                self._hand_over_messages(request, on_message)
        return request

    def _hand_over_messages(self, request: Request, on_message: OnMessage) -> None:
        """A message counts as taken once the handler is done with it; after a crash before that it comes again."""
        if not request.get("messages"):
            return
        path = f"/api/requests/{_quote(request['id'])}/messages"
        for message in cast(List[Message], self._call("GET", f"{path}/unheard").document["messages"]):
            on_message(message, lambda text: self._reply_while_open(request["id"], text))
            self._call("PUT", f"{path}/heard", {"last": message["id"]})

    def _reply_while_open(self, id: str, text: str) -> None:
        try:
            self.reply(id, text)
        except BeckonError as error:
            if error.code != "settled_otherwise":
                raise

    def _deliver(self, id: str) -> None:
        self._call("PUT", f"/api/requests/{_quote(id)}/delivery", {})

    def _settle(self, id: str, verb: str, body: Mapping[str, Any]) -> Settlement:
        try:
            reply = self._call("PUT", f"/api/requests/{_quote(id)}/{verb}", body)
        except BeckonError as error:
            if error.code != "settled_otherwise":
                raise
            return Settlement(won=False, replay=False, request=cast(Request, error.details["request"]))
        replay = reply.headers.get("beckon-replay") == "true"
        return Settlement(won=not replay, replay=replay, request=cast(Request, reply.document))

    def _request(self, method: str, path: str, body: Optional[Mapping[str, Any]] = None) -> Request:
        return cast(Request, self._call(method, path, body).document)

    def _call(self, method: str, path: str, body: Optional[Mapping[str, Any]] = None) -> _Reply:
        """Sends a call again while the hub is away. Each is the same call to the hub, however often it arrives."""
        give_up_at = time.monotonic() + self._retry_for
        pause = _FIRST_PAUSE
        while True:
            try:
                return self._call_once(method, path, body)
            except BeckonError as error:
                rest = _pause_after(error, pause)
                if not error.temporary or time.monotonic() + rest > give_up_at:
                    raise
            time.sleep(rest)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _call_once(
        self, method: str, path: str, body: Optional[Mapping[str, Any]] = None, timeout: float = 0.0
    ) -> _Reply:
        headers = {"accept": "application/json", "authorization": f"Bearer {self._token}"}
        sent = None
        if body is not None:
            headers["content-type"] = "application/json"
            sent = json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=sent, headers=headers, method=method)
        limit = timeout + _REPLY_TIMEOUT
        try:
            with self._opener.open(request, timeout=limit) as response:
                return _Reply(dict(_lower(response.headers.items())), _document(response.read(), self.url))
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise _fault(refusal, self.url) from None
        except (OSError, http.client.HTTPException) as error:
            raise _unreachable(error, self.url, limit) from error

    def _open_stream(self, cursor: Optional[int]) -> http.client.HTTPResponse:
        path = "/api/events" if cursor is None else f"/api/events?since={cursor}"
        headers = {"accept": "text/event-stream", "authorization": f"Bearer {self._token}"}
        request = urllib.request.Request(self.url + path, headers=headers)
        try:
            return cast(http.client.HTTPResponse, self._opener.open(request, timeout=_LONGEST_SILENCE))
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise _fault(refusal, self.url) from None
        except (OSError, http.client.HTTPException) as error:
            raise _unreachable(error, self.url, _LONGEST_SILENCE) from error


@dataclass(frozen=True)
class _Reply:
    headers: Mapping[str, str]
    document: Any


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The token is for this hub alone."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _opener(url: str) -> urllib.request.OpenerDirector:
    host = urllib.parse.urlsplit(url).hostname or ""
    handlers: List[urllib.request.BaseHandler] = [_NoRedirects()]
    if _is_loopback(host):
        # A proxy of the environment cannot reach this machine's own addresses.
        handlers.append(urllib.request.ProxyHandler({}))
    return urllib.request.build_opener(*handlers)


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _program() -> str:
    name = os.path.basename(sys.argv[0]) if sys.argv else ""
    return "python" if name in ("", "-c", "-m") else name


def _checked_url(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise BeckonError("invalid", "BECKON_URL must be an address like https://beckon.example.com.")
    return url.rstrip("/")


def _token_file() -> str:
    """A file keeps the token out of the environment of the programs that we start."""
    file = os.environ.get("BECKON_TOKEN_FILE")
    if not file:
        return ""
    try:
        with open(file, encoding="utf-8") as opened:
            return opened.read()
    except OSError as error:
        raise BeckonError("invalid", f"BECKON_TOKEN_FILE cannot be read: {error.strerror}.") from None


def _checked_token(token: str) -> str:
    if not token.strip():
        raise BeckonError("invalid", "Set BECKON_TOKEN: beckon token create --scope ask prints one.")
    return token.strip()


# What is sent


def _questions(
    question: Union[str, Sequence[Question]],
    options: Sequence[Union[str, Option]],
    default: Union[str, Sequence[str], None],
    multi_select: bool,
    allow_other: Optional[bool],
    header: Optional[str],
    category: Optional[Category],
) -> Sequence[Mapping[str, Any]]:
    own = _given(default=default, allowOther=allow_other, header=header, category=category)
    if options:
        own["options"] = list(options)
    if multi_select:
        own["multiSelect"] = True
    if isinstance(question, str):
        return [{"question": question, **own}]
    if own:
        raise BeckonError("invalid", f"With several questions, give {', '.join(own)} in each of them.")
    return list(question)


def _common(
    context: Optional[str],
    required: bool,
    timeout: Optional[Duration],
    on_timeout: Optional[OnTimeout],
    key: Optional[str],
    on_message: Optional[OnMessage],
) -> Dict[str, Any]:
    return {
        **_given(context=context, onTimeout=on_timeout, key=key),
        **({} if timeout is None else {"timeout": _to_milliseconds(timeout)}),
        **({} if required else {"required": False}),
        **({"canReply": True} if on_message else {}),
    }


def _given(**fields: Any) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _attachment(file: File) -> Dict[str, str]:
    with open(file, "rb") as opened:
        return {"name": os.path.basename(os.fspath(file)), "data": base64.b64encode(opened.read()).decode()}


def _to_milliseconds(duration: Duration) -> Union[int, str]:
    return duration if isinstance(duration, str) else round(_to_seconds(duration) * 1000)


def _to_seconds(duration: Duration) -> float:
    if isinstance(duration, timedelta):
        return duration.total_seconds()
    if isinstance(duration, str):
        return _read_duration(duration)
    return float(duration)


_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def _read_duration(text: str) -> float:
    """As the hub reads it: 90s, 15m, 1h30m; a bare number is seconds."""
    source = text.strip().lower()
    if re.fullmatch(r"\d+(\.\d+)?", source):
        return float(source)
    if not re.fullmatch(r"(\d+(\.\d+)?(ms|s|m|h|d|w))+", source):
        raise BeckonError("invalid", f'"{text}" is not a duration; write 90s, 15m, 1h30m or 2d.')
    parts = re.findall(r"(\d+(?:\.\d+)?)(ms|s|m|h|d|w)", source)
    return sum(float(amount) * _UNITS[unit] for amount, unit in parts)


def _quote(id: str) -> str:
    return urllib.parse.quote(id, safe="")


# What comes back


def _outcome_of(settled: Request) -> OutcomeDocument:
    outcome = settled["outcome"]
    if outcome is None:
        raise BeckonError("damaged", f"{settled['id']} is settled and has no outcome.")
    return outcome


def _outcome_fields(settled: Request) -> Dict[str, Any]:
    outcome = _outcome_of(settled)
    names = ("status", "answers", "by", "channel", "at", "note", "reason")
    return {"id": settled["id"], "value": _value_of(settled), **{name: outcome.get(name) for name in names}}


def _value_of(settled: Request) -> Value:
    answers = _outcome_of(settled)["answers"]
    if not answers:
        return None
    answer = answers[0]
    if settled["kind"] != "question":
        return answer["selected"][0] if answer["selected"] else None
    questions = settled.get("questions") or []
    if len(questions) != 1:
        return None
    values = answer["selected"] + ([] if answer["text"] is None else [answer["text"]])
    if questions[0].get("multiSelect"):
        return values
    return ", ".join(values) if values else None


def _ends_in_effect(settled: Request) -> bool:
    return settled["kind"] in ("approval", "dependency") and settled["status"] == "answered"


def _document(body: bytes, url: str) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        raise BeckonError("unreachable", f"{url} did not answer in JSON. Is it a hub?") from None


def _lower(headers: Any) -> Iterator[Any]:
    for name, value in headers:
        yield name.lower(), value


def _read_event_stream(response: http.client.HTTPResponse) -> Iterator[Any]:
    """(id, comment, data) of each item: an event has data, a cursor that moves on has an id alone."""
    id: Optional[str] = None
    data: List[str] = []
    for raw in iter(response.readline, b""):
        # Cut off within a line: it comes again, whole.
        if not raw.endswith(b"\n"):
            return
        line = raw.decode().rstrip("\r\n")
        if line == "":
            if data:
                yield id, None, "\n".join(data)
            elif id is not None:
                yield id, None, None
            id, data = None, []
            continue
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "":
            yield None, value, None
        elif name == "id":
            id = value
        elif name == "data":
            data.append(value)


# What fails

_TEMPORARY = {"busy", "closed", "disk_full", "replaced", "timed_out", "too_many", "unreachable"}
_TEMPORARY_STATUSES = {408, 425, 429, 500, 502, 503, 504}


def _fault(refusal: urllib.error.HTTPError, url: str) -> BeckonError:
    retry_after = _retry_after(refusal.headers.get("retry-after"))
    try:
        error = json.loads(refusal.read())["error"]
        code, message, details = str(error["code"]), str(error["message"]), error.get("details")
    except (ValueError, KeyError, TypeError, AttributeError, OSError, http.client.HTTPException):
        # Something between us and the hub replied in its place.
        code = {401: "unauthenticated", 403: "not_allowed", 413: "too_large", 429: "too_many"}.get(
            refusal.code, "unreachable"
        )
        message = f"{url} replied with the status {refusal.code}. Is it a hub?"
        return BeckonError(
            code, message, temporary=refusal.code in _TEMPORARY_STATUSES, retry_after=retry_after
        )
    return BeckonError(code, message, details, temporary=code in _TEMPORARY, retry_after=retry_after)


def _unreachable(error: BaseException, url: str, limit: float) -> BeckonError:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, (socket.timeout, TimeoutError)):
        return BeckonError("unreachable", f"The hub at {url} did not reply within {_seconds(limit)}.", temporary=True)
    if isinstance(reason, ssl.SSLCertVerificationError):
        return BeckonError("unreachable", f"The certificate of {url} is not valid: {reason.verify_message}.")
    text = f"The hub at {url} cannot be reached ({reason or type(reason).__name__}). Is beckon serve running?"
    return BeckonError("unreachable", text, temporary=True)


def _retry_after(header: Optional[str]) -> float:
    """Seconds, or a date."""
    if not header:
        return 0.0
    try:
        seconds = float(header)
    except ValueError:
        try:
            when = parsedate_to_datetime(header)
        except (TypeError, ValueError):
            return 0.0
        aware = when if when.tzinfo else when.replace(tzinfo=timezone.utc)
        seconds = (aware - datetime.now(timezone.utc)).total_seconds()
    return min(max(0.0, seconds), _LONGEST_RETRY_AFTER)


def _pause_after(error: BeckonError, pause: float) -> float:
    """Never sooner than the server asks, and never all at once."""
    return error.retry_after + _with_jitter(max(pause, error.retry_after / 4))


def _with_jitter(pause: float) -> float:
    return pause * random.uniform(0.5, 1.0)


def _seconds(duration: float) -> str:
    return f"{duration:g} second{'' if duration == 1 else 's'}"
