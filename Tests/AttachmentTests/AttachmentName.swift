import AttachmentDomain

/// Swift Testing has an `Attachment` too.
typealias Attachment = AttachmentDomain.Attachment
