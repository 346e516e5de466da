-- A role may end between the check of a request and its write. A script is no user.
CREATE TRIGGER `orders_are_shipped_by_admins` BEFORE UPDATE OF `state` ON `orders`
WHEN NEW.`state` = 'shipped' AND EXISTS (SELECT 1 FROM `users` WHERE `id` = NEW.`moved_by` AND `role` <> 'admin')
BEGIN
  SELECT RAISE(ABORT, 'an admin ships and refunds');
END;
--> statement-breakpoint
CREATE TRIGGER `order_refunds_are_made_by_admins` BEFORE INSERT ON `order_refunds`
WHEN EXISTS (SELECT 1 FROM `users` WHERE `id` = NEW.`moved_by` AND `role` <> 'admin')
BEGIN
  SELECT RAISE(ABORT, 'an admin ships and refunds');
END;
