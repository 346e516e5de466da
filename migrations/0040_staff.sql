ALTER TABLE `users` ADD `staff_role` text
  CONSTRAINT "users_staff_role" CHECK("staff_role" IN ('packer', 'bookkeeper'));
--> statement-breakpoint
CREATE TRIGGER `users_have_one_role` BEFORE UPDATE OF `staff_role` ON `users`
WHEN NEW.`staff_role` IS NOT NULL AND (NEW.`role` = 'admin' OR NEW.`closed_at` IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'an admin and a closed account have no other role');
END;
--> statement-breakpoint
-- Also when the Worker of before, which does not know the column, makes an admin or closes an account.
CREATE TRIGGER `users_lose_their_staff_role` AFTER UPDATE OF `role`, `closed_at` ON `users`
WHEN NEW.`staff_role` IS NOT NULL AND (NEW.`role` = 'admin' OR NEW.`closed_at` IS NOT NULL)
BEGIN
  UPDATE `users` SET `staff_role` = NULL WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
DROP TRIGGER `orders_are_shipped_by_admins`;
--> statement-breakpoint
-- By a packer too. The text is that of before, which the Worker of before reads.
CREATE TRIGGER `orders_are_shipped_by_staff` BEFORE UPDATE OF `state` ON `orders`
WHEN NEW.`state` = 'shipped' AND EXISTS (
  SELECT 1 FROM `users` WHERE `id` = NEW.`moved_by` AND `role` <> 'admin' AND `staff_role` IS NOT 'packer'
)
BEGIN
  SELECT RAISE(ABORT, 'an admin ships and refunds');
END;
