CREATE TABLE `order_refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`submission_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`reason` text NOT NULL,
	`restock` integer DEFAULT 0 NOT NULL,
	`moved_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`refund_id` text,
	`made_at` integer,
	`failed_at` integer,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_refunds_amount" CHECK("order_refunds"."amount_cents" > 0),
	CONSTRAINT "order_refunds_restock" CHECK("order_refunds"."restock" >= 0),
	CONSTRAINT "order_refunds_made" CHECK(("order_refunds"."refund_id" IS NULL) = ("order_refunds"."made_at" IS NULL))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `order_refunds_refund_id_unique` ON `order_refunds` (`refund_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `order_refunds_once` ON `order_refunds` (`order_id`,`submission_id`);--> statement-breakpoint
CREATE INDEX `order_refunds_owed` ON `order_refunds` (`created_at`) WHERE "order_refunds"."refund_id" IS NULL AND "order_refunds"."failed_at" IS NULL;--> statement-breakpoint
CREATE INDEX `order_refunds_failed` ON `order_refunds` (`failed_at`) WHERE "order_refunds"."refund_id" IS NOT NULL AND "order_refunds"."failed_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `refunded_cents` integer DEFAULT 0 NOT NULL
  CONSTRAINT "orders_refunded" CHECK("refunded_cents" BETWEEN 0 AND CASE WHEN "transaction_id" IS NULL THEN 0 ELSE "total_cents" END);--> statement-breakpoint
ALTER TABLE `orders` ADD `returned_quantity` integer DEFAULT 0 NOT NULL
  CONSTRAINT "orders_returned" CHECK("returned_quantity" BETWEEN 0 AND "quantity");
--> statement-breakpoint
-- Whoever writes: the CHECKs of `orders` bound both sums, and nobody can set another sum.
CREATE TRIGGER `orders_refunds_add_up` BEFORE UPDATE OF `refunded_cents`, `returned_quantity` ON `orders`
WHEN NEW.`refunded_cents` <> (SELECT coalesce(sum(`amount_cents`), 0) FROM `order_refunds` WHERE `order_id` = NEW.`id` AND `failed_at` IS NULL)
  OR NEW.`returned_quantity` <> (SELECT coalesce(sum(`restock`), 0) FROM `order_refunds` WHERE `order_id` = NEW.`id`)
BEGIN
  SELECT RAISE(ABORT, 'the refunds of an order add up');
END;
--> statement-breakpoint
-- REPLACE deletes rows without a trigger: refuse it here.
CREATE TRIGGER `order_refunds_are_stored_once` BEFORE INSERT ON `order_refunds`
WHEN EXISTS (SELECT 1 FROM `order_refunds` WHERE `id` = NEW.`id`)
  OR EXISTS (SELECT 1 FROM `order_refunds` WHERE `order_id` = NEW.`order_id` AND `submission_id` = NEW.`submission_id`)
  OR EXISTS (SELECT 1 FROM `order_refunds` WHERE `refund_id` = NEW.`refund_id`)
BEGIN
  SELECT RAISE(ABORT, 'a refund of an order is stored once');
END;
--> statement-breakpoint
CREATE TRIGGER `order_refunds_are_counted` AFTER INSERT ON `order_refunds`
BEGIN
  INSERT INTO `audit_log` (`at`, `event`, `actor`, `order_id`, `note`)
    SELECT NEW.`created_at`, iif(NEW.`refund_id` IS NULL, 'refund owed', 'refund made'), NEW.`moved_by`, NEW.`order_id`, NEW.`id`;
  INSERT INTO `audit_log` (`at`, `event`, `actor`, `instrument_id`, `order_id`, `stock_delta`, `note`)
    SELECT NEW.`created_at`, 'pieces returned', NEW.`moved_by`, `instrument_id`, `id`, NEW.`restock`, NEW.`id`
    FROM `orders` WHERE `id` = NEW.`order_id` AND NEW.`restock` > 0;
  UPDATE `orders` SET
    `refunded_cents` = (SELECT coalesce(sum(`amount_cents`), 0) FROM `order_refunds` WHERE `order_id` = NEW.`order_id` AND `failed_at` IS NULL),
    `returned_quantity` = (SELECT sum(`restock`) FROM `order_refunds` WHERE `order_id` = NEW.`order_id`)
    WHERE `id` = NEW.`order_id`;
END;
--> statement-breakpoint
-- An owed refund is made, or fails; one that failed before it was made may turn out to be made; one that was made may fail.
CREATE TRIGGER `order_refunds_move_forward` BEFORE UPDATE ON `order_refunds`
WHEN NEW.`id` <> OLD.`id` OR NEW.`order_id` <> OLD.`order_id` OR NEW.`submission_id` <> OLD.`submission_id`
  OR NEW.`amount_cents` <> OLD.`amount_cents` OR NEW.`reason` <> OLD.`reason` OR NEW.`restock` <> OLD.`restock`
  OR NEW.`moved_by` <> OLD.`moved_by` OR NEW.`created_at` <> OLD.`created_at`
  OR (OLD.`refund_id` IS NOT NULL AND (OLD.`failed_at` IS NOT NULL OR NEW.`refund_id` IS NOT OLD.`refund_id` OR NEW.`made_at` IS NOT OLD.`made_at`))
  OR (OLD.`failed_at` IS NOT NULL AND NEW.`refund_id` IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'a refund that is made or failed is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `order_refunds_made` AFTER UPDATE OF `refund_id` ON `order_refunds` WHEN OLD.`refund_id` IS NULL AND NEW.`refund_id` IS NOT NULL
BEGIN
  INSERT INTO `audit_log` (`at`, `event`, `actor`, `order_id`, `note`)
    VALUES (NEW.`made_at`, 'refund made', 'shop', NEW.`order_id`, NEW.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `order_refunds_failed` AFTER UPDATE OF `failed_at` ON `order_refunds` WHEN NEW.`failed_at` IS NOT OLD.`failed_at`
BEGIN
  INSERT INTO `audit_log` (`at`, `event`, `actor`, `order_id`, `note`)
    SELECT NEW.`failed_at`, 'refund failed', 'stripe', NEW.`order_id`, NEW.`id` WHERE NEW.`failed_at` IS NOT NULL;
  UPDATE `orders` SET
    `refunded_cents` = (SELECT coalesce(sum(`amount_cents`), 0) FROM `order_refunds` WHERE `order_id` = NEW.`order_id` AND `failed_at` IS NULL)
    WHERE `id` = NEW.`order_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `order_refunds_are_never_deleted` BEFORE DELETE ON `order_refunds`
BEGIN
  SELECT RAISE(ABORT, 'a refund is never deleted');
END;
--> statement-breakpoint
ALTER TABLE `orders` ADD `carrier` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `tracking_number` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `tracking_url` text
  CONSTRAINT "orders_tracking_url" CHECK("tracking_url" LIKE 'https://%')
  CONSTRAINT "orders_shipment" CHECK("state" = 'shipped' OR coalesce("carrier", "tracking_number", "tracking_url") IS NULL);--> statement-breakpoint
ALTER TABLE `orders` ADD `staff_note` text;
