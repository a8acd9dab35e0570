"""How dates are written where Django chooses: in its admin, and in templates that name no format."""
