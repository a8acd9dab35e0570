"""Template tags of the timeline: addresses that keep its filters, counts on its chips, marks in its sentences."""

from django import template
from django.template import Context
from django.template.base import NodeList, Parser, Token

from dashboard.shared.addresses import address
from dashboard.shared.audit_entries import AuditEntry
from dashboard.timeline.counts import EventCounts
from dashboard.timeline.event_families import EventFamily
from dashboard.timeline.marking import mark_in_html, segments_html
from dashboard.timeline.query_parameters import TimelineQuery

register = template.Library()


@register.simple_tag(takes_context=True, name="chosen")
def address_with_query(context: Context, name: str = "audit", **parameters: object) -> str:
    """Like `address`, with the filters of the timeline on the screen. Those given here win; None removes one."""
    query = context.get("choice")
    kept = query.parameters if isinstance(query, TimelineQuery) else {}
    return address(name, **{**kept, **parameters})


@register.filter
def of_family(counts: EventCounts, family: EventFamily) -> str:
    """How many rows of a family there are, in words."""
    return counts.of_family(family)


@register.filter
def of_type(counts: EventCounts, name: str) -> str:
    """How many rows of one event there are, in words."""
    return counts.of_type(name)


@register.tag
def marked(parser: Parser, token: Token) -> "MarkedNode":
    """`{% marked %}...{% endmarked %}`: the sentence of `entry`, with the words of the search that found it marked.

    Where the sentence holds none of them, the words around them follow it.
    """
    sentence = parser.parse(("endmarked",))
    parser.delete_first_token()
    return MarkedNode(sentence)


class MarkedNode(template.Node):
    """A sentence whose words are marked."""

    def __init__(self, sentence: NodeList) -> None:
        self.sentence = sentence

    def render(self, context: Context) -> str:
        """The sentence; as it is where nothing was searched for."""
        sentence, entry = self.sentence.render(context), context.get("entry")
        if not isinstance(entry, AuditEntry) or not entry.search:
            return sentence
        html = mark_in_html(sentence, entry.search)
        excerpt = () if "<mark>" in html else entry.excerpt
        return f'{html} <span class="excerpt">“{segments_html(excerpt)}”</span>' if excerpt else html
